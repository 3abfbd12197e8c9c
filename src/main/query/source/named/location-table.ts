import type { Condition } from '../../../../plan/condition/condition.ts'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { withKnownTypes } from '../../../../plan/format/known-columns.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import type { LocationSource } from '../../../catalog/catalog.ts'
import type { KeyedTest } from '../../../datasets/fingerprint/location-searches.ts'
import type { Location } from '../../../datasets/partitions/find-located.ts'
import type { LocatedFiles } from '../../../datasets/resolve.ts'
import type { AskedOfMany, AskedSums, ManyRemaining } from '../many/remaining-files.ts'
import { declaredTest, withDeclaredPartitions } from '../partition-columns/declared-partitions.ts'
import type { Table } from '../table.ts'

/** Finds the datasets of a format in a location. */
export type FindLocated = (
  location: Location,
  format: FileFormat,
  test: KeyedTest | null,
) => Promise<LocatedFiles>

/** Finds the files of a table that its filter leaves, as `ManyFiles` does. */
export type FindRemaining = (asked: AskedOfMany) => Promise<ManyRemaining | null>

/**
 * An external table. With columns, a query opens only the files that its filter leaves; without, it finds the columns of all of them first.
 * @param digest That of its definition.
 */
export function tableOfLocation(
  name: string,
  schema: Schema | null,
  source: LocationSource,
  digest: string | null,
  findLocated: FindLocated,
  findRemaining: FindRemaining = async () => null,
): Table {
  const { partitions, extensions } = source
  const format = schema === null ? source.format : withKnownTypes(source.format)
  const location = { path: source.location, extensions, keys: partitions.map((each) => each.name) }
  return {
    relation: name,
    format,
    schema,
    digest,
    partitions,
    ...(schema !== null && {
      async remaining(filter: Condition | null, sums: AskedSums | null) {
        const asked = { relation: name, location, format, schema, partitions, filter, sums }
        const remaining = await findRemaining(asked)
        return (
          remaining && {
            ...remaining,
            files: await withDeclaredPartitions(remaining.files, partitions, name),
          }
        )
      },
    }),
    async files(filter) {
      const test = declaredTest(filter.on(schema?.fields ?? partitions), partitions)
      const located = await findLocated(location, source.format, test)
      // A table without stored columns has those of its files, even if no row passes.
      const isEmpty = schema === null && located.files.length === 0 && located.leftOut > 0
      const { files, leftOut } = isEmpty ? await findLocated(location, source.format, null) : located
      return {
        files: await withDeclaredPartitions(files, partitions, name),
        columns: schema === null ? partitions : [],
        isNarrowed: leftOut > 0,
        ...(leftOut > 0 && { foldersLeftOut: leftOut }),
      }
    },
  }
}
