import type { Codec } from '../../stored-zarr.ts'
import type { ArrayForm } from '../array-form.ts'
import type { ArrayCodec } from './array-codec.ts'
import { plainName } from './codec-name.ts'
import { numberCodecOf } from './number-codecs.ts'
import { transpose } from './transpose.ts'

/**
 * A codec that was applied to an array of a form. Undefined: arrays that the codec made are not read. Throws `unreadable_file` for
 * a configuration that is not read.
 */
export function arrayCodecOf(codec: Codec, form: ArrayForm): ArrayCodec | undefined {
  const name = plainName(codec.name)
  return name === 'transpose' ? transpose(form, codec.configuration) : numberCodecOf(name, codec, form)
}

/** The bytes of elements in the other order. */
export function swap(bytes: Uint8Array, elementBytes: number): Uint8Array {
  const target = Buffer.from(bytes)
  if (elementBytes === 2) return target.swap16()
  if (elementBytes === 4) return target.swap32()
  return elementBytes === 8 ? target.swap64() : target
}
