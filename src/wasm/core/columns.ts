import { ENTRY_BYTES } from '../../plan/source/whole-entry.ts'
import type { Scalar } from '../../plan/types/scalar.ts'
import type { DataType, DictionaryType } from '../../plan/types/schema.ts'
import { importArray } from './arrow-c.ts'
import { makeBlocksColumn, makeBoxColumn, makeElementsColumn } from './boxes/make-box-column.ts'
import type { Column } from './column.ts'
import { scalarOf, valueBytes } from './constants.ts'
import type { Core } from './core.ts'
import { flatColumn } from './flat-column.ts'
import type { Instance } from './instance.ts'
import { assemble, collect } from './kernels/assembly.ts'
import { childTypes, indexCode, indexWidth, type Shape, shapeOf } from './layout.ts'
import { parquetPack } from './parquet-pack.ts'
import { parquetSummaries } from './parquet-summaries.ts'
import { makeSectionColumn } from './sections/make-section-column.ts'
import { typeCode } from './type-code.ts'

type Columns = Pick<
  Core,
  | 'importArray'
  | 'assemble'
  | 'flatColumn'
  | 'parquetPack'
  | 'parquetSummaries'
  | 'blocksColumn'
  | 'boxColumn'
  | 'elementsColumn'
  | 'sectionColumn'
  | 'boundsOfRuns'
  | 'constant'
  | 'cast'
  | 'concat'
  | 'filter'
  | 'rows'
  | 'columnBytes'
  | 'share'
  | 'valueAt'
  | 'free'
>

export function createColumns(instance: Instance): Columns {
  const free = (column: Column): void => {
    if (!instance.isDead()) instance.call('column_free', column)
  }
  return {
    importArray: (memory, array, schema, type) => importArray(instance, memory, array, schema, type),
    assemble: (parts) => assemble(instance, parts),
    flatColumn: (column) => flatColumn(instance, column),
    sectionColumn: (type, rows, sections) => makeSectionColumn(instance, type, rows, sections),
    parquetPack: (file, columns) => parquetPack(instance, file, columns),
    parquetSummaries: (footer, columns) => parquetSummaries(instance, footer, columns),
    boxColumn: (spec, slabs) => makeBoxColumn(instance, spec, slabs),
    blocksColumn: (spec, rows, blocks) => makeBlocksColumn(instance, spec, rows, blocks),
    elementsColumn: (spec, rows, isBigEndian, write) =>
      makeElementsColumn(instance, spec, rows, isBigEndian, write),
    boundsOfRuns(column, type, lengths) {
      instance.setArguments(new Uint8Array(Uint32Array.from(lengths).buffer))
      instance.call('column_bounds', column, ...typeCode(type))
      return new Uint8Array(instance.copy(instance.result(0), lengths.length * ENTRY_BYTES))
    },
    constant(type, value, rows) {
      const one = value === null ? template(instance, type) : single(instance, type, value)
      try {
        return instance.call(value === null ? 'column_nulls' : 'column_repeat', one, rows) as Column
      } finally {
        free(one)
      }
    },
    cast(column, from, to) {
      if (from.kind === 'null') {
        const empty = template(instance, to)
        try {
          instance.call('column_rows', column)
          return instance.call('column_nulls', empty, instance.result(0)) as Column
        } finally {
          free(empty)
        }
      }
      return instance.call('column_cast', column, ...typeCode(from), ...typeCode(to)) as Column
    },
    concat(columns) {
      instance.setArguments(new Uint8Array(Uint32Array.from(columns).buffer))
      return instance.call('column_concat') as Column
    },
    filter: (column, mask) => instance.call('column_filter', column, mask) as Column,
    rows(column) {
      instance.call('column_rows', column)
      return instance.result(0)
    },
    columnBytes(column) {
      instance.call('column_bytes', column)
      return instance.result(0)
    },
    share: (column) => instance.call('column_share', column) as Column,
    valueAt(column, type, row) {
      if (instance.call('column_value', column, row) === 0) return null
      return scalarOf(type, new Uint8Array(instance.copy(instance.result(0), instance.result(1))))
    },
    free,
  }
}

/** A column of one row. */
function single(instance: Instance, type: DataType, value: Scalar): Column {
  if (type.kind === 'dictionary') return dictionary(instance, type, 1, single(instance, type.value, value))
  const { shape, width } = shapeOf(type)
  const bytes = valueBytes(type, value, width)
  if (shape === 'utf8' || shape === 'binary') {
    const offsets = new Uint8Array(Int32Array.of(0, bytes.length).buffer)
    return assemble(instance, { layout: shape, rows: 1, buffers: [null, offsets, bytes] })
  }
  const layout = shape === 'bool' ? 'bool' : 'fixed'
  return assemble(instance, { layout, parameter: width, rows: 1, buffers: [null, bytes] })
}

/** A column of a type without rows. */
export function template(instance: Instance, type: DataType): Column {
  if (type.kind === 'dictionary') return dictionary(instance, type, 0, template(instance, type.value))
  const { shape, width } = shapeOf(type)
  const buffers = [null, ...Array.from({ length: VALUE_BUFFERS[shape] }, () => new Uint8Array(0))]
  const children = collect(instance, childTypes(type), (child) => template(instance, child))
  return assemble(instance, { layout: shape, parameter: width, rows: 0, buffers, children })
}

/** A dictionary column that has the first of the values `rows` times. It takes ownership of the values. */
function dictionary(instance: Instance, { index }: DictionaryType, rows: number, values: Column): Column {
  const parameter = indexCode(index)
  const indices = new Uint8Array(rows * indexWidth(parameter))
  return assemble(instance, {
    layout: 'dictionary',
    parameter,
    rows,
    buffers: [null, indices],
    children: [values],
  })
}

/** The number of buffers of an array besides its validity bitmap. */
const VALUE_BUFFERS: Readonly<Record<Shape['shape'], number>> = Object.freeze({
  null: 0,
  bool: 1,
  fixed: 1,
  utf8: 2,
  binary: 2,
  list: 1,
  large_list: 1,
  fixed_list: 0,
  struct: 0,
})
