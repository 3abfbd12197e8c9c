import { fault } from '../../../fault.ts'
import type { ElementForm } from '../element-form.ts'
import { BOOL, BYTES, fixedTextForm, instantForm, numberForm, TEXT } from '../element-form.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { show } from '../members.ts'

const NUMBER = /^(int|uint|float)(8|16|32|64)$/

/** What a data type of version 3 is. A text: no column has such values, which are these, in the plural. */
export function formOfDataType(dataType: Json | undefined): ElementForm | string {
  if (typeof dataType === 'string') return formOfName(dataType, null)
  if (!isObject(dataType) || typeof dataType['name'] !== 'string')
    throw fault(`"data_type" must be a name or an object with a name, and is ${show(dataType)}`)
  const { configuration } = dataType
  return formOfName(dataType['name'], isObject(configuration) ? configuration : null)
}

function formOfName(name: string, configuration: JsonObject | null): ElementForm | string {
  const [, kind, bits] = NUMBER.exec(name) ?? []
  if (kind !== undefined) {
    const letter = kind === 'int' ? 'i' : kind === 'uint' ? 'u' : 'f'
    return numberForm(letter, Number(bits) / 8) ?? `${name} numbers`
  }
  switch (name) {
    case 'bool':
      return BOOL
    case 'string':
      return TEXT
    case 'bytes':
    case 'variable_length_bytes':
      return BYTES
    case 'numpy.datetime64': {
      const { unit = null, scale_factor: factor = 1 } = configuration ?? {}
      return (
        (typeof unit === 'string' ? instantForm(unit, factor === 1) : null) ??
        `times in units of ${show(factor)} ${show(unit)}`
      )
    }
    case 'fixed_length_utf32':
      return fixedTextForm(lengthIn(configuration, name, 4), 'utf32')
    case 'null_terminated_bytes':
      return fixedTextForm(lengthIn(configuration, name, 1), 'ascii')
    default:
      return `elements of the type ${show(name)}`
  }
}

/** The most bytes of a text of a fixed length. */
const MAX_TEXT_BYTES = 1 << 24

function lengthIn(configuration: JsonObject | null, name: string, multiple: number): number {
  const length = configuration?.['length_bytes']
  if (
    typeof length === 'number' &&
    Number.isInteger(length / multiple) &&
    length >= 0 &&
    length <= MAX_TEXT_BYTES
  )
    return length
  throw fault(
    `"length_bytes" of the data type ${name} must be a multiple of ${multiple} up to ${MAX_TEXT_BYTES}, and is ${show(length)}`,
  )
}
