import type { ElementType } from '../../arrays/array-file.ts'
import type { Datatype, EnumerationType } from '../data/structures/messages/datatype.ts'
import type { Hdf5Array } from '../hdf5-metadata.ts'

/** What the values of a column are, and how they are stored. */
export type ValueForm = Pick<Hdf5Array, 'element' | 'valueBytes' | 'isBigEndian' | 'text' | 'enumeration'> & {
  /** Why the values are not read, although it is known what they are. Null: they are. */
  readonly fault: string | null
}

/** What values of a type are. A text: no column has such values, which are these, in the plural. */
export function formOf(type: Datatype): ValueForm | string {
  const { size } = type
  const number = (element: ElementType, isBigEndian: boolean, fault: string | null = null): ValueForm => ({
    element,
    valueBytes: size,
    isBigEndian: isBigEndian && size > 1,
    text: null,
    fault,
  })
  const width = size * 8
  switch (type.kind) {
    case 'integer': {
      if (width !== 8 && width !== 16 && width !== 32 && width !== 64) return `integers of ${size} bytes`
      const { bits, lowestBit, isSigned, isBigEndian } = type
      const isWhole = bits === width && lowestBit === 0
      const from = lowestBit === 0 ? '' : `, from bit ${lowestBit} on`
      const narrow = `its integers have a precision of ${bits} bits in ${width}${from}; only integers that use all bits are read`
      return number({ kind: 'int', bits: width, signed: isSigned }, isBigEndian, isWhole ? null : narrow)
    }
    case 'float':
      if (!type.isIeee || (width !== 16 && width !== 32 && width !== 64))
        return `floats of ${size} bytes that are not binary16, binary32 or binary64`
      return number({ kind: 'float', bits: width }, type.isBigEndian)
    case 'text': {
      const isChar = size === 1
      const element: ElementType = { kind: isChar ? 'char' : 'text' }
      return {
        element,
        valueBytes: size,
        isBigEndian: false,
        text: isChar ? null : type.storage,
        fault: null,
      }
    }
    case 'enumeration': {
      const form = formOf(type.base)
      if (typeof form === 'string') return 'enumerations'
      return isBoolean(type) ? { ...form, element: { kind: 'bool' } } : { ...form, enumeration: type.names }
    }
    case 'compound':
      return 'compounds'
    case 'other':
      return type.what
  }
}

/** Whether an enumeration is how h5py writes booleans. */
function isBoolean({ size, names: [no, yes, ...others] }: EnumerationType): boolean {
  const isNo = no?.name === 'FALSE' && no.value === 0n
  return size === 1 && isNo && yes?.name === 'TRUE' && yes.value === 1n && others.length === 0
}

/** The same for a member of a compound. Its texts must have a fixed length. */
export function memberFormOf(type: Datatype): ValueForm | string {
  if (type.kind === 'text' && type.storage === 'heap') return 'texts of variable length in compounds'
  return type.kind === 'compound' ? 'compounds in compounds' : formOf(type)
}
