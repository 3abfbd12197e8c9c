import type { Column } from '../column.ts'
import type { Core } from '../core.ts'
import type { Instance } from '../instance.ts'

type Vectors = Pick<
  Core,
  'duckColumn' | 'duckText' | 'duckRows' | 'duckDictionary' | 'duckSelection' | 'view'
>

export function createVectors(instance: Instance): Vectors {
  const descend = (path: readonly number[]): number => {
    if (path.length > 0) setWords(path)
    return path.length
  }
  const setWords = (words: readonly number[]): void =>
    instance.setArguments(new Uint8Array(Int32Array.from(words).buffer))
  return {
    duckColumn(column, forms) {
      setWords(forms)
      return instance.call('duckdb_column', column) as Column
    },
    duckText(column, path, from, rows) {
      instance.call('duckdb_text', column, descend(path), from, rows)
      return { address: instance.result(0), length: instance.result(1) }
    },
    duckRows(column, path, from, rows, base) {
      instance.call('duckdb_rows', column, descend(path), from, rows, base)
      return {
        values: instance.result(0),
        validity: instance.result(1),
        childFrom: instance.result(2),
        childRows: instance.result(3),
      }
    },
    duckDictionary(column) {
      instance.call('duckdb_dictionary', column)
      return instance.result(0)
    },
    duckSelection(column, from, rows) {
      instance.call('duckdb_selection', column, from, rows)
      return instance.result(0)
    },
    view: instance.bytes,
  }
}
