import { fault } from '../../../fault.ts'
import {
  BOOL,
  BYTES,
  type ElementForm,
  fixedTextForm,
  instantForm,
  numberForm,
  TEXT,
} from '../element-form.ts'
import { show } from '../members.ts'

/** The data type of an array of version 2, as NumPy writes it. */
export interface DataTypeV2 {
  readonly form: ElementForm
  readonly isBigEndian: boolean
}

/** The order of bytes, a letter, the size, and of times the unit with how many of it: `<M8[25s]`. */
const TYPE = /^([<>|=])([a-zA-Z])(\d{0,8})(?:\[(\d*)(\w+)\])?$/

/**
 * What a data type is. `objects` is the codec that makes bytes of objects, which have no type otherwise. A text: no column has such
 * values, which are these, in the plural. Throws `unreadable_file`.
 */
export function formOfDtype(dtype: unknown, objects: string | null): DataTypeV2 | string {
  if (Array.isArray(dtype)) return 'structures'
  const match = typeof dtype === 'string' ? TYPE.exec(dtype) : null
  if (match === null) throw fault(`"dtype" must be a type of NumPy, such as "<f4", and is ${show(dtype)}`)
  const [, order, letter = '', digits = '', count = '', unit = ''] = match
  const form = formOf(letter, Number(digits), { count, unit }, objects)
  return form === null ? `elements of the type ${show(dtype)}` : { form, isBigEndian: order === '>' }
}

/** Whether elements of a data type have their most significant byte first. */
export function isBigEndian(dtype: unknown): boolean {
  return typeof dtype === 'string' && dtype.startsWith('>')
}

/** The most characters of a text of a fixed length. */
const MAX_LENGTH = 1 << 22

function formOf(
  letter: string,
  size: number,
  time: { readonly count: string; readonly unit: string },
  objects: string | null,
): ElementForm | null {
  switch (letter) {
    case 'i':
    case 'u':
    case 'f':
      return numberForm(letter, size)
    case 'b':
      return size === 1 ? BOOL : null
    case 'M':
      return size === 8 ? instantForm(time.unit, time.count === '' || time.count === '1') : null
    case 'S':
      return size > MAX_LENGTH ? null : fixedTextForm(size, 'ascii')
    case 'U':
      return size > MAX_LENGTH ? null : fixedTextForm(4 * size, 'utf32')
    case 'O':
      return objects === null ? null : (OBJECTS.get(objects) ?? null)
    default:
      return null
  }
}

/** The kind of the objects that a codec encodes. */
const OBJECTS: ReadonlyMap<string, ElementForm> = new Map([
  ['vlen-utf8', TEXT],
  ['json2', TEXT],
  ['vlen-bytes', BYTES],
])
