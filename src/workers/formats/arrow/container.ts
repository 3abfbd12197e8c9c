import type { Schema } from '../../../plan/types/schema.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { checkDecimals } from './check-decimals.ts'
import { hasFileMagic, isFeather1, readFile } from './file.ts'
import { type Container, fault } from './message.ts'
import { readSchema } from './read-schema.ts'
import { readStorages, type Storage } from './storage.ts'
import { beginsAsStream, readStream } from './stream.ts'

/** Reads all metadata of a file or a stream; its first bytes tell which it is. Throws `unreadable_file` and `memory_limit`. */
export function readContainer(
  source: ByteSource,
): Container & { readonly columns: Schema; readonly storages: readonly Storage[] } {
  if (isFeather1(source)) throw fault('it is a Feather file of version 1; only version 2 is Arrow IPC')
  const container = hasFileMagic(source) ? readFile(source) : readStream(source)
  const columns = readSchema(container.schema)
  const names = new Set<string>()
  for (const { name } of columns.fields) {
    if (names.has(name)) throw fault(`two of its columns are named "${name}"`)
    names.add(name)
  }
  checkDecimals(columns.fields)
  return { ...container, columns, storages: readStorages(container.schema, columns) }
}

/** Whether the source begins as an Arrow IPC file or stream. */
export function beginsAsArrow(source: ByteSource): boolean {
  return hasFileMagic(source) || beginsAsStream(source)
}
