import { ServiceError } from '../../../plan/errors.ts'
import { forEachNull, isValid } from '../plain-batches.ts'
import type { ColumnWriter } from './column-writer.ts'
import { copyValues } from './copy-values.ts'
import { FILL_VALUES, type NumberType } from './fill-value.ts'
import { arrayOf } from './held-rows.ts'

/**
 * Writes numbers. Nulls become the greatest one of the type. Throws `type_mismatch` if the column has both: whoever reads the file could not
 * tell them apart.
 */
export function numberWriter(column: number, name: string, type: NumberType): ColumnWriter {
  const fill = FILL_VALUES[type]
  let hasNulls = false
  let hasFill = false

  return {
    width: fill.width,
    write(slices, at, rows, file) {
      const { memory } = file
      const pointer = memory.allocate(rows * fill.width)
      try {
        const heap = memory.heap()
        copyValues(slices, column, fill.width, heap, pointer)
        const values = fill.over(heap.buffer, heap.byteOffset + pointer, rows)
        const mayHaveFill = !hasFill && values.hasFill()
        let first = 0
        for (const slice of slices) {
          const array = arrayOf(slice, column)
          const { from, rows: count } = slice
          if (mayHaveFill)
            for (let row = 0; row < count; row++)
              if (values.isFill(first + row) && isValid(array, from + row)) hasFill = true
          const shift = first - from
          forEachNull(array, from, count, (row) => {
            values.setFill(row + shift)
            hasNulls = true
          })
          first += count
        }
        if (hasNulls && hasFill) throw ambiguous(name, type)
        file.write(column, [at], [rows], pointer)
      } finally {
        memory.free(pointer)
      }
    },
    fillValue: () => (hasNulls ? { name: '_FillValue', type, value: fill.bytes } : null),
  }
}

function ambiguous(name: string, type: NumberType): ServiceError {
  const column = JSON.stringify(name)
  return new ServiceError(
    'type_mismatch',
    `The column ${column} has nulls and also the value ${FILL_VALUES[type].text}, which stands for null in a NetCDF file (${type}). Cast the column to a larger type, or replace its nulls with coalesce(…).`,
  )
}
