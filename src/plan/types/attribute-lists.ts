import { parseTypeName } from './parse-type-name.ts'
import { type DataType, type Field, typeName } from './schema.ts'

type NumberType = Extract<DataType, { kind: 'int' | 'float' }>

/** An attribute of a column that is a list of numbers of one type. */
export interface NumberList {
  readonly type: NumberType
  readonly numbers: readonly (number | bigint)[]
}

/**
 * The key in the metadata of a column for the types of its attributes that are lists of numbers, such as `flag_values`: a JSON object with
 * the name of each. All attributes are text in metadata, so another reader would not know.
 */
const LIST_TYPES = 'halocline:attribute_lists'

/** What stands between the numbers of a list in the text of an attribute. */
const SEPARATOR = ', '

/** The metadata of a column with the types of its attributes that are lists. They have their numbers already, as `textOfNumbers`. */
export function withListTypes(
  metadata: Field['metadata'],
  types: ReadonlyMap<string, NumberType>,
): Field['metadata'] {
  if (types.size === 0) return metadata
  const names = Object.fromEntries([...types].map(([name, type]) => [name, typeName(type)]))
  return { ...metadata, [LIST_TYPES]: JSON.stringify(names) }
}

/** The text of a list of numbers, each in its shortest form. */
export function textOfNumbers(numbers: readonly (number | bigint)[]): string {
  return numbers.join(SEPARATOR)
}

/** The attributes of a column that are lists of numbers, by their names. Those of which the text or the type is something else are none. */
export function numberLists(metadata: Field['metadata']): ReadonlyMap<string, NumberList> {
  const lists = new Map<string, NumberList>()
  for (const [name, written] of Object.entries(typesIn(metadata[LIST_TYPES]))) {
    const type = typeof written === 'string' ? parseTypeName(written) : null
    const text = Object.hasOwn(metadata, name) ? metadata[name] : undefined
    if (text === undefined || (type?.kind !== 'int' && type?.kind !== 'float')) continue
    const numbers = text.split(SEPARATOR).map((each) => numberIn(each, type))
    if (numbers.every((each) => each !== null)) lists.set(name, { type, numbers })
  }
  return lists
}

function typesIn(json: string | undefined): object {
  if (json === undefined) return {}
  try {
    const parsed: unknown = JSON.parse(json)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

/** Null: it is no number of the type. */
function numberIn(text: string, type: NumberType): number | bigint | null {
  if (type.kind === 'float') {
    const number = Number(text)
    return text !== '' && Number.isFinite(number) ? number : null
  }
  if (!/^-?\d{1,20}$/.test(text)) return null
  const number = BigInt(text)
  const wrapped = type.signed ? BigInt.asIntN(type.bits, number) : BigInt.asUintN(type.bits, number)
  return wrapped === number ? number : null
}
