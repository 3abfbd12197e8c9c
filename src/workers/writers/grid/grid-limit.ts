import { ServiceError } from '../../../plan/errors.ts'
import { productOf } from '../../../plan/product-of.ts'
import type { GridColumns } from './grid-columns.ts'

/**
 * Throws `output_too_large` for a grid with more bytes than it may have. `isWhole`: all rows are known, so that it does not get larger.
 */
export function checkGridBytes(
  { dimensions, variables }: GridColumns,
  shape: readonly number[],
  maximumBytes: number,
  isWhole: boolean,
): void {
  const elementBytes = variables.reduce((sum, { width }) => sum + width, 0)
  const bytes = productOf(shape) * elementBytes
  if (bytes <= maximumBytes) return
  const sizes = dimensions.map(({ name }, index) => `${shape[index]} values of ${JSON.stringify(name)}`)
  throw new ServiceError(
    'output_too_large',
    `The grid has ${isWhole ? '' : 'at least '}${sizes.join(' times ')}, with ${elementBytes} bytes in each cell: ${bytes} bytes, ` +
      `more than the ${maximumBytes} of SERVICE_MAX_GRID_BYTES. Filter the rows, select fewer columns, round the dimensions, or ask ` +
      'for "netcdf", which has a row for each row of the result.',
  )
}
