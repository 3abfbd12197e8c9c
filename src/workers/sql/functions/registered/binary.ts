import { ServiceError } from '../../../../plan/errors.ts'
import { shorten } from '../../../../wasm/duckdb/functions/regex.ts'
import type { ScalarFunction, ScalarOverload } from '../../../../wasm/duckdb/functions/scalar-function.ts'
import { BLOB, VARCHAR } from './types.ts'

interface Format {
  encode(bytes: Buffer): string
  /** Null: the text is none of this format. */
  decode(text: string): Buffer | null
}

const HEX: Format = {
  encode: (bytes) => bytes.toString('hex'),
  decode: (text) => (text.length % 2 === 0 && !/[^0-9a-f]/i.test(text) ? Buffer.from(text, 'hex') : null),
}

/** Padding may be left out of what is decoded. */
const decodeBase64 = (text: string): Buffer | null => {
  const bare = text.replace(/={1,2}$/, '')
  const isWhole = bare.length % 4 !== 1 && (bare.length === text.length || text.length % 4 === 0)
  return isWhole && /^[A-Za-z0-9+/]*$/.test(bare) ? Buffer.from(bare, 'base64') : null
}

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['base64', { encode: (bytes) => bytes.toString('base64').replace(/=+$/, ''), decode: decodeBase64 }],
  ['base64pad', { encode: (bytes) => bytes.toString('base64'), decode: decodeBase64 }],
  ['hex', HEX],
])

const ENCODE: Pick<ScalarOverload, 'returns' | 'compute'> = Object.freeze({
  returns: VARCHAR,
  compute([value, format], result, row) {
    const { encode } = formatOf('encode', format?.text(row) ?? '')
    if (value !== undefined) result.setBytes(row, Buffer.from(encode(value.bytes(row)), 'latin1'))
  },
} satisfies Pick<ScalarOverload, 'returns' | 'compute'>)

const DECODE: ScalarOverload = Object.freeze({
  parameters: [VARCHAR, VARCHAR],
  returns: BLOB,
  compute([text, format], result, row) {
    const [value, name] = [text?.text(row) ?? '', format?.text(row) ?? '']
    const bytes = formatOf('decode', name).decode(value)
    if (bytes === null)
      throw new ServiceError('invalid_sql', `decode: '${shorten(value)}' is no text of the format ${name}.`)
    result.setBytes(row, bytes)
  },
} satisfies ScalarOverload)

export const BINARY_FUNCTIONS: readonly ScalarFunction[] = Object.freeze([
  { name: 'decode', overloads: [DECODE] },
  {
    name: 'encode',
    overloads: [
      { ...ENCODE, parameters: [VARCHAR, VARCHAR] },
      { ...ENCODE, parameters: [BLOB, VARCHAR] },
    ],
  },
])

function formatOf(name: string, format: string): Format {
  const formatEntry = FORMATS.get(format)
  if (formatEntry !== undefined) return formatEntry
  const formatNames = [...FORMATS.keys()].join(', ')
  throw new ServiceError(
    'invalid_sql',
    `${name}: there is no format '${shorten(format)}'. They are ${formatNames}.`,
  )
}
