import type { Column } from './column.ts'
import { type FlatKind, kindWords } from './flat-column.ts'
import type { Instance } from './instance.ts'

/** A column of a pack: its leaf in the schema, the number of its physical type in Parquet, and how its values are read. */
export interface PackColumn extends FlatKind {
  readonly leaf: number
  readonly physical: number
  readonly isOptional: boolean
}

/** Flat columns of many small Parquet files that are laid out alike (`pack.rs`). */
export interface ParquetPack extends Disposable {
  /**
   * Appends the rows of a file, all of whose bytes are given. False: nothing was appended, because the file is laid out in another way,
   * has a codec or a form that the core does not read, or is damaged. The caller then reads it by itself.
   */
  add(file: Uint8Array, rows: number): boolean
  /** The columns of all rows that were appended since the last call. */
  take(): Column[]
}

/** Begins a pack of files that are laid out as `file`. Null: that has another form than a pack reads. */
export function parquetPack(
  instance: Instance,
  file: Uint8Array,
  columns: readonly PackColumn[],
): ParquetPack | null {
  const words = columns.flatMap(({ leaf, physical, isOptional, ...kind }) => [
    leaf,
    physical,
    isOptional ? 1 : 0,
    ...kindWords(kind),
  ])
  const header = new Uint8Array(Int32Array.of(columns.length, ...words).buffer)
  instance.setArguments(Buffer.concat([header, file]))
  const pack = instance.call('pack_new')
  if (pack === 0) return null
  return {
    add(bytes, rows) {
      instance.call('pack_file', pack, bytes.length)
      instance.bytes(instance.result(0), bytes.length).set(bytes)
      return instance.call('pack_add', pack, rows) === 1
    },
    take() {
      const taken: Column[] = []
      try {
        for (const index of columns.keys()) taken.push(instance.call('pack_column', pack, index) as Column)
        return taken
      } catch (error) {
        if (!instance.isDead()) for (const column of taken) instance.call('column_free', column)
        throw error
      }
    },
    [Symbol.dispose]() {
      if (!instance.isDead()) instance.call('pack_free', pack)
    },
  }
}
