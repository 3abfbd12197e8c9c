import { ServiceError } from '../../src/plan/errors.ts'
import type { FormatOptions } from '../../src/plan/format/file-format.ts'
import { typeName } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { CSV_LIMITS, type CsvLimits } from '../../src/workers/formats/csv/limits.ts'
import { createOdv } from '../../src/workers/formats/odv/odv.ts'
import { odvOptions } from '../../src/workers/formats/odv/options.ts'
import type { OpenFile, ReadContext } from '../../src/workers/formats/provider.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll, type Value } from '../formats/values.ts'

export const context: ReadContext = readContext(createCore({ maximumBytes: 256 << 20 }))

export interface OdvCase {
  readonly options?: FormatOptions
  readonly limits?: Partial<CsvLimits>
}

/** A file of these bytes, opened and inferred. */
export function openOdv(
  bytes: string | Uint8Array,
  { options = {}, limits = {} }: OdvCase = {},
): { readonly file: OpenFile; readonly source: ReturnType<typeof memorySource> } {
  const source = memorySource(Buffer.from(bytes), 'test.txt')
  const file = createOdv(odvOptions(options), { ...CSV_LIMITS, ...limits }).open(source, context)
  file.infer?.(source, context)
  return { file, source }
}

/** All rows, column by column. */
export function readOdv(bytes: string | Uint8Array, given?: OdvCase): Value[][] {
  const { file, source } = openOdv(bytes, given)
  return readAll(file, source, context)
}

/** All columns by their names, each with its type and its values. */
export function columnsOfOdv(bytes: string | Uint8Array, given?: OdvCase): Readonly<Record<string, unknown>> {
  const { file, source } = openOdv(bytes, given)
  const values = readAll(file, source, context)
  return Object.fromEntries(
    file.schema.fields.map(({ name, type }, index) => [name, [typeName(type), ...(values[index] ?? [])]]),
  )
}

/** The message of the error with which a file is refused, which must be `unreadable_file`. */
export function odvError(bytes: string | Uint8Array, given?: OdvCase): string {
  try {
    readOdv(bytes, given)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unreadable_file') return error.message
    throw error
  }
  return 'no error'
}
