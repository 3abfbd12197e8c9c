import type { Schema } from '../../../../plan/types/schema.ts'
import type { RemoteSource } from '../../../catalog/catalog.ts'
import { printName } from '../../../catalog/written-name.ts'
import type { OpenRemote } from '../remote/remote-rows.ts'
import type { Table } from '../table.ts'

/**
 * A table of another service. Its rows are fetched when it is known what a query reads of them.
 * @param schema Null: its columns are asked for as well.
 * @param digest That of its definition.
 */
export function tableOfRemote(
  name: string,
  schema: Schema | null,
  source: RemoteSource,
  digest: string | null,
  openRemote: OpenRemote,
): Table {
  const relation = printName({ catalog: null, schema: null, name })
  return {
    relation,
    format: source.format,
    schema,
    digest,
    partitions: [],
    remote: openRemote(source, relation),
    files: async () => ({ files: [], columns: [], isNarrowed: false }),
  }
}
