import type { Condition } from '../../../../plan/condition/condition.ts'
import { impliedOn } from '../../../../plan/condition/implied-on.ts'
import { ServiceError } from '../../../../plan/errors.ts'
import { expressionKey } from '../../../../plan/expression.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import { runInSlices, STEP_ITEMS, type Steps } from '../../../../plan/steps.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type Field, typeName } from '../../../../plan/types/schema.ts'
import { identityOf, shareIdentity } from '../../../datasets/fingerprint/file-rows.ts'
import type { KeyedTest } from '../../../datasets/fingerprint/location-searches.ts'
import { type LocatedValues, valuesIn } from '../../../datasets/partitions/find-located.ts'
import { folderOf } from '../../../datasets/partitions/level.ts'
import { type Constants, mayHaveRows } from '../constants.ts'
import { declaredValue } from './declared-value.ts'

/**
 * The test of folders by what a condition says of their columns. A folder whose value is not of its type passes, so that a file below it is
 * an error whatever the filter is. Null: the condition says nothing of the columns.
 */
export function declaredTest(condition: Condition | null, fields: readonly Field[]): KeyedTest | null {
  const names = new Set(fields.map(({ name }) => name))
  const impliedFilter = condition && impliedOn(condition, (name) => names.has(name))
  if (impliedFilter === null) return null
  return {
    key: expressionKey(impliedFilter),
    passes(values) {
      const constants = constantsOf(values, fields)
      return constants === null || mayHaveRows(constants, fields, impliedFilter)
    },
  }
}

/** The lists of files with constants that were made before, by those without. Queries over the same files get the same list. */
const filesWithConstants = new WeakMap<
  readonly FileRef[],
  { readonly fields: readonly Field[]; readonly files: readonly FileRef[] }
>()

/**
 * Adds the values of folders to files. Throws `schema_conflict` for a file that is not in folders of all keys, or whose folder has a value
 * that is not of its type. `relation` is the name of the table.
 */
export async function withDeclaredPartitions(
  files: readonly FileRef[],
  fields: readonly Field[],
  relation: string,
): Promise<readonly FileRef[]> {
  if (fields.length === 0) return files
  const earlier = filesWithConstants.get(files)
  if (earlier?.fields === fields) return earlier.files
  const result = await runInSlices(addConstants(files, fields, relation))
  shareIdentity(result, identityOf(files))
  filesWithConstants.set(files, { fields, files: result })
  return result
}

function* addConstants(
  files: readonly FileRef[],
  fields: readonly Field[],
  relation: string,
): Steps<readonly FileRef[]> {
  const keys = fields.map(({ name }) => name)
  /** Files of one folder share their constants. */
  const ofFolders = new Map<string | null, Constants>()
  const result: FileRef[] = []
  for (const [index, file] of files.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield
    const folder = folderOf(file.path)
    const constants = ofFolders.get(folder) ?? constantsIn(folder, file, keys, fields, relation)
    ofFolders.set(folder, constants)
    result.push(Object.freeze({ ...file, constants }))
  }
  return Object.freeze(result)
}

function constantsIn(
  folder: string | null,
  { path }: FileRef,
  keys: readonly string[],
  fields: readonly Field[],
  relation: string,
): Constants {
  const values = valuesIn(folder?.split('/') ?? [], keys)
  if (values.length < keys.length)
    throw new ServiceError(
      'schema_conflict',
      `${JSON.stringify(path)} is not in folders ${keys.map((key) => `${key}=…`).join('/')}, by which the table ${relation} is partitioned; move the file, or create the table with another LOCATION.`,
    )
  const constants = constantsOf(values, fields)
  if (constants !== null) return Object.freeze(constants)
  const [wrong = ''] = fields.flatMap(({ name, type }, index) => {
    const text = values[index] ?? null
    const isWrong = text !== null && declaredValue(text, type) === null
    return isWrong ? [`${name}=${text}, which is no ${typeName(type)}, the type of "${name}"`] : []
  })
  throw new ServiceError(
    'schema_conflict',
    `${JSON.stringify(path)} is in a folder ${wrong} in the table ${relation}; move the file, or declare another type.`,
  )
}

/** The values of the first columns. Null: a text is not of the type of its column. */
function constantsOf(
  values: LocatedValues,
  fields: readonly Field[],
): Readonly<Record<string, Scalar | null>> | null {
  const constants: Record<string, Scalar | null> = {}
  for (const [index, text] of values.entries()) {
    const field = fields[index]
    if (field === undefined) break
    const value = text === null ? null : declaredValue(text, field.type)
    if (value === null && text !== null) return null
    constants[field.name] = value
  }
  return constants
}
