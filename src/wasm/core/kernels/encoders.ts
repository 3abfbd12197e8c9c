import { ServiceError } from '../../../plan/errors.ts'
import { type DataType, typeName } from '../../../plan/types/schema.ts'
import type { Column, Mask } from '../column.ts'
import type { Compression, Core, EncodedRows } from '../core.ts'
import type { Instance } from '../instance.ts'
import { indexCode, words } from '../layout.ts'
import { rowForm } from '../text/json-form.ts'
import { NESTED, typeCode } from '../type-code.ts'

type Encoders = Pick<
  Core,
  | 'encodeBatch'
  | 'encodeDictionary'
  | 'encodeCsv'
  | 'encodeOdv'
  | 'encodeJson'
  | 'encodeParquetChunk'
  | 'advance'
>

export function createEncoders(instance: Instance): Encoders {
  // The hash seed is random, so that nobody can make a file whose values all collide.
  const seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0
  const encode = (
    name: 'encode_batch' | 'encode_csv' | 'encode_odv' | 'encode_json',
    given: Uint8Array,
    ...range: readonly number[]
  ): EncodedRows => {
    instance.setArguments(given)
    const rows = instance.call(name, ...range)
    const [address, length] = [instance.result(0), instance.result(1)]
    const [metadataBytes, next] = [instance.result(2), instance.result(3)]
    const isBatch = name === 'encode_batch'
    const bytes = isBatch ? gather(instance, address, length) : instance.copy(address, length)
    return { bytes, rows, metadataBytes, next }
  }
  return {
    encodeBatch: (columns, types, rows, mask, from, maxRows, maxBytes, compression = 'none') =>
      encode(
        'encode_batch',
        words(index(columns, types)),
        mask ?? 0,
        rows,
        from,
        clamp(maxRows),
        clamp(maxBytes),
        CODECS[compression],
      ),
    encodeDictionary(column, id, compression = 'none') {
      instance.call('encode_dictionary', column, id, CODECS[compression])
      return instance.copy(instance.result(0), instance.result(1))
    },
    encodeCsv: (columns, types, rows, mask, from, maxRows, maxBytes) =>
      encode(
        'encode_csv',
        words(wordsOfTypes(columns, types)),
        mask ?? 0,
        rows,
        from,
        clamp(maxRows),
        clamp(maxBytes),
      ),
    encodeOdv(numbers, columns, types, rows, mask, from, maxRows, maxBytes) {
      const given = words([numbers ?? 0, ...wordsOfTypes(columns, types)])
      return encode('encode_odv', given, mask ?? 0, rows, from, clamp(maxRows), clamp(maxBytes))
    },
    encodeJson(names, columns, types, rows, mask, from, maxRows, maxBytes) {
      const given = Buffer.concat([words([columns.length, ...columns]), rowForm(types, names)])
      return encode('encode_json', given, mask ?? 0, rows, from, clamp(maxRows), clamp(maxBytes))
    },
    encodeParquetChunk(column, type, from, rows, width, isOptional) {
      instance.setArguments(words([...typeCode(type), width, from, rows, isOptional ? 1 : 0, seed]))
      instance.call('parquet_chunk', column)
      return {
        bytes: instance.copy(instance.result(0), instance.result(1)),
        summary: instance.copy(instance.result(2), instance.result(3)),
      }
    },
    advance(mask: Mask | null, rows, from, skip) {
      instance.call('advance', mask ?? 0, rows, from, clamp(skip))
      return { row: instance.result(0), skipped: instance.result(1) }
    },
  }
}

/** Copies the last batch. Parts of its body were not copied by the core: `lent` has their places in the columns. */
function gather(instance: Instance, address: number, length: number): ArrayBuffer {
  const count = instance.call('lent')
  if (count === 0) return instance.copy(address, length)
  const lent = new DataView(instance.copy(instance.result(0), count * LENT_BYTES))
  const message = Buffer.allocUnsafeSlow(length)
  let done = 0
  for (let i = 0; i < count; i++) {
    const [at = 0, from = 0, bytes = 0] = [0, 4, 8].map((offset) =>
      lent.getUint32(i * LENT_BYTES + offset, true),
    )
    message.set(instance.bytes(address + done, at - done), done)
    message.set(instance.bytes(from, bytes), at)
    done = at + bytes
  }
  message.set(instance.bytes(address + done, length - done), done)
  return message.buffer
}

/** Bytes of the core's struct `Lent`: a position in the message, an address, and a length. */
const LENT_BYTES = 12

/** The codes of `Codec::from_code` in the core. */
const CODECS: Readonly<Record<Compression, number>> = Object.freeze({ none: 0, lz4: 1, zstd: 2 })

const PLAIN = -1

function index(columns: readonly Column[], types: readonly DataType[]): number[] {
  return columns.flatMap((column, i) => {
    const type = types[i]
    return [column, type?.kind === 'dictionary' ? indexCode(type.index) : PLAIN]
  })
}

function wordsOfTypes(columns: readonly Column[], types: readonly DataType[]): number[] {
  return columns.flatMap((column, index) => {
    const type = types[index] ?? { kind: 'null' }
    const code = typeCode(type)
    if (code[0] === NESTED)
      throw new ServiceError('not_supported', `CSV has no form for values of ${typeName(type)}`)
    return [column, ...code]
  })
}

/** The value as an unsigned 32-bit argument. Larger ones, Infinity too, become the greatest. */
function clamp(value: number): number {
  return Math.max(0, Math.min(value, 0xffff_ffff))
}
