import { isDeepStrictEqual } from 'node:util'
import { productOf } from '../../../../../plan/product-of.ts'
import { fault } from '../../../fault.ts'
import { show } from '../../metadata/members.ts'
import type { Codec } from '../../stored-zarr.ts'
import type { ArrayForm } from '../array-form.ts'
import type { ArrayCodec } from './array-codec.ts'
import {
  bytesOfNumbers,
  convert,
  is64BitInteger,
  type NumberData,
  type Numbers,
  numberDataOf,
  numbersOf,
  requireNumbers,
  typeName,
} from './numbers.ts'
import { withFaults, type ZarritaCodec, zarritaCodec } from './zarrita.ts'

/** Numbers of an array, and what has been applied to them. */
interface Applied {
  readonly codec: Codec
  readonly form: ArrayForm
  readonly data: NumberData
}

/** How a codec changes numbers: their type in what is stored, and the way back. */
interface NumberCodec {
  readonly stored: NumberData
  decode(numbers: Numbers): Numbers
}

const FLOAT64: NumberData = Object.freeze({ kind: 'float', bits: 64 })

/** Codecs of numbers, which zarrita decodes. */
const CODECS: ReadonlyMap<string, (applied: Applied) => NumberCodec> = new Map([
  ['bitround', sameType],
  ['scale_offset', sameType],
  ['cast_value', castValue],
  ['delta', delta],
  ['fixedscaleoffset', fixedScaleOffset],
])

/** Undefined: no codec of numbers has this name. Throws `unreadable_file`. */
export function numberCodecOf(name: string, codec: Codec, form: ArrayForm): ArrayCodec | undefined {
  const create = CODECS.get(name)
  const { data, shape } = form
  if (create === undefined || (data.kind !== 'int' && data.kind !== 'float')) return undefined
  const { stored, decode } = create({ codec, form, data })
  return {
    encoded: { data: stored, shape },
    readsNumbers: true,
    decode: (bytes) => bytesOfNumbers(requireNumbers(decode(numbersOf(bytes, stored)), data, form)),
  }
}

/** Has zarrita decode numbers, which then have the type with which the codec was made. */
function decode(
  name: string,
  codec: ZarritaCodec,
  data: Numbers,
  { shape }: ArrayForm,
  type: NumberData,
): Numbers {
  const stride = shape.map((_, axis) => productOf(shape.slice(axis + 1)))
  const result = withFaults(name, () => codec.decode({ data, shape, stride }))
  return requireNumbers(result.data, type, { data: type, shape })
}

function sameType({ codec, form, data }: Applied): NumberCodec {
  const libraryCodec = zarritaCodec(codec, typeName(data), form.shape)
  return { stored: data, decode: (numbers) => decode(codec.name, libraryCodec, numbers, form, data) }
}

function castValue({ codec, form, data }: Applied): NumberCodec {
  const { data_type: name } = codec.configuration
  const stored = numberDataOf(name)
  if (stored === null) throw fault(`its codec ${codec.name} has the data_type ${show(name)}`)
  const libraryCodec = zarritaCodec(codec, typeName(data), form.shape)
  return { stored, decode: (numbers) => decode(codec.name, libraryCodec, numbers, form, data) }
}

/** Differences from one element to the next. They are added in the type of the elements, as NumPy does. */
function delta(applied: Applied): NumberCodec {
  const { codec, form, data } = applied
  const stored = storedType(applied)
  const libraryCodec = zarritaCodec(codec, typeName(data), form.shape)
  return {
    stored,
    decode: (numbers) => decode(codec.name, libraryCodec, convert(numbers, data), form, data),
  }
}

/** `stored / scale + offset` in 64-bit floats, as NumPy calculates it, which then become elements. */
function fixedScaleOffset(applied: Applied): NumberCodec {
  const { codec, form, data } = applied
  const { scale, offset } = codec.configuration
  const stored = storedType(applied)
  const asFloats = { name: 'scale_offset', configuration: { scale, offset } }
  if (is64BitInteger(data) || typeof scale !== 'number' || typeof offset !== 'number')
    throw fault(
      `its codec ${codec.name} has the scale ${show(scale)} and the offset ${show(offset)} for elements of the type ${typeName(data)}`,
    )
  const libraryCodec = zarritaCodec(asFloats, typeName(FLOAT64), form.shape)
  return {
    stored,
    decode: (numbers) =>
      convert(decode(codec.name, libraryCodec, convert(numbers, FLOAT64), form, FLOAT64), data),
  }
}

/** The type of what a codec of numcodecs stores. Its `dtype` has to be that of the elements. */
function storedType({ codec: { name, configuration }, data }: Applied): NumberData {
  const { dtype, astype = dtype } = configuration
  const stored = numberDataOf(astype)
  if (stored === null || !isDeepStrictEqual(numberDataOf(dtype), data))
    throw fault(
      `its codec ${name} has the dtype ${show(dtype)} and the astype ${show(astype)}, and its elements are ${typeName(data)}`,
    )
  return stored
}
