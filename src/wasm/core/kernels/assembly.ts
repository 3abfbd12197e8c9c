import type { Column } from '../column.ts'
import type { Instance } from '../instance.ts'

/**
 * The layouts of arrays with their codes (`assemble.rs`, `Layout`). The comments say what buffers 1 and following are, and what
 * `parameter` means. Buffer 0 is always the validity bitmap.
 */
const LAYOUT = Object.freeze({
  null: 0,
  /** 1: bits. */
  bool: 1,
  /** 1: values of `parameter` bytes. */
  fixed: 2,
  /** 1: `i32` offsets, 2: the bytes from the first offset to the last. */
  binary: 3,
  utf8: 4,
  /** The same with `i64` offsets. */
  large_binary: 5,
  large_utf8: 6,
  /** 1: views, 2 and following: data. */
  binary_view: 7,
  utf8_view: 8,
  /** 1: `i32` offsets; child: the items from the first offset to the last. */
  list: 9,
  /** The same with `i64` offsets. */
  large_list: 10,
  /** Child: `parameter` items a row. */
  fixed_list: 11,
  /** Children: the fields. */
  struct: 12,
  /** 1: indices of type `parameter` (`INDEX_TYPES`); child: the values. */
  dictionary: 13,
  /**
   * 1: values of Parquet's INT96, which become timestamps of unit `parameter` (`UNITS`); 2: a bitmap from bit 0 on of the rows
   * whose parents are not null, empty if none is.
   */
  int96: 14,
  /** 1 and 2: the same of Parquet's INTERVAL. */
  interval: 15,
})

/** Index types of dictionaries in the order of their codes. */
export const INDEX_TYPES = Object.freeze(['i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64'] as const)

/** The buffers of an array, in any memory. */
export interface ArrayParts {
  readonly layout: keyof typeof LAYOUT
  readonly parameter?: number
  readonly rows: number
  /** The bit of the first byte, 0 to 7, at which the validity and the values of `bool` begin. */
  readonly bit?: number
  /** The validity bitmap (null: no row is null), then the others in order. */
  readonly buffers: readonly (Uint8Array | null)[]
  /** The callee takes ownership of them, even if it throws. */
  readonly children?: readonly Column[]
}

/**
 * Copies an array's buffers into the core, which checks all lengths, offsets, indices and text and makes a column of them.
 * 64-bit offsets and views are converted to 32-bit offsets; dictionaries that are nested or have nested values are converted to
 * plain values. Throws `unreadable_file` for an array that is not valid.
 */
export function assemble(instance: Instance, parts: ArrayParts): Column {
  const children = [...(parts.children ?? [])]
  let array: number | null = null
  try {
    const layout = LAYOUT[parts.layout]
    array = instance.call('array_new', layout, parts.parameter ?? 0, parts.rows, parts.bit ?? 0)
    for (const [index, buffer] of parts.buffers.entries()) {
      if (buffer === null) continue
      instance.call('array_buffer', array, index, buffer.length)
      instance.bytes(instance.result(0), buffer.length).set(buffer)
    }
    for (let child = children.shift(); child !== undefined; child = children.shift()) {
      instance.call('array_child', array, child)
    }
    const finished = array
    array = null
    return instance.call('array_finish', finished) as Column
  } catch (error) {
    if (!instance.isDead()) {
      if (array !== null) instance.call('array_free', array)
      for (const child of children) instance.call('column_free', child)
    }
    throw error
  }
}

/** Makes a column of each item. If one fails, the columns made before are freed. */
export function collect<T>(
  instance: Instance,
  items: readonly T[],
  make: (item: T, index: number) => Column,
): Column[] {
  const columns: Column[] = []
  try {
    for (const [index, item] of items.entries()) columns.push(make(item, index))
    return columns
  } catch (error) {
    if (!instance.isDead()) for (const column of columns) instance.call('column_free', column)
    throw error
  }
}
