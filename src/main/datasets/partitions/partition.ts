import { isUtf8 } from 'node:buffer'
import { NULL_PARTITION } from '../../../plan/source/path-options.ts'

/** A folder `key=value` in the path of a file. */
export interface Partition {
  readonly key: string
  /** Null: the value is null. */
  readonly value: string | null
}

/**
 * The key and the value of a folder by its name. The first `=` is between them. Both are percent-decoded. The value is null if
 * nothing follows, or the name that writers give to null. Null: the name is not of this form.
 */
export function partitionOf(name: string): Partition | null {
  const sign = name.indexOf('=')
  if (sign < 1) return null
  const value = name.slice(sign + 1)
  const isNull = value === '' || value === NULL_PARTITION
  return { key: percentDecoded(name.slice(0, sign)), value: isNull ? null : percentDecoded(value) }
}

/** The partitions in the names of folders, in their order. */
export function partitionsOf(folders: readonly string[]): readonly Partition[] {
  return folders.flatMap((name) => partitionOf(name) ?? [])
}

/** The partitions in a path, in its order. Its last name is that of a file, or of a folder that is none. */
export function partitionsOfFile(path: string): readonly Partition[] {
  return path.includes('=') ? partitionsOf(path.split('/').slice(0, -1)) : []
}

/**
 * Decodes each `%` with two hexadecimal digits as a byte. Neighbouring ones that are not UTF-8 together stay as they are, as does
 * any other `%`.
 */
function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  return text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex')
    return isUtf8(bytes) ? bytes.toString() : escapes
  })
}
