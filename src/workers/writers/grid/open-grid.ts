import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { GridPlan } from '../../../plan/output/grid-plan.ts'
import type { Core } from '../../../wasm/core/core.ts'
import type { Grid } from '../../../wasm/core/kernels/grid.ts'
import { rowTable } from '../../rows/row-table.ts'
import type { FileWriter, OpenWriter } from '../file-writer.ts'
import { createNc4File, type Nc4File } from '../netcdf/nc4-file.ts'
import { completeGrid } from './complete-grid.ts'
import { type GridColumns, gridColumns } from './grid-columns.ts'
import { gridConstants } from './grid-constants.ts'
import { checkGridBytes } from './grid-limit.ts'
import { placedRows } from './placed-rows.ts'
import { createSpool } from './spool.ts'
import { type Block, spooledRows } from './spooled-rows.ts'

/** How long a call works to complete a file, in milliseconds. */
const STEPS_MS = 100

/** Opens a gridded NetCDF-4 file. Its rows are spooled, and what is in which element is known when all of them are. */
export const openGrid: OpenWriter<GridPlan> = async (plan, fields, files, context) => {
  if (files.spool === null) throw new TypeError('a grid needs a second file')
  const { core } = context
  const columns = gridColumns(plan, fields)
  const file = await createNc4File(files.descriptor)
  const grid = open(core, columns, file)
  const spool = createSpool(files.spool)
  const blocks: Block[] = []
  const dimensions = columns.dimensions.map(({ column }) => column)
  const order = [...columns.dimensions, ...columns.variables].map(({ column }) => column)
  let steps: Generator<void, void, undefined> | null = null
  const constants = gridConstants(plan, fields, columns)
  const { compression } = plan
  const parts = { columns, grid, file, spool, rows: spooledRows(columns, blocks), constants, compression }
  const checkCore = (current: Core): void => {
    if (current !== core)
      throw new ServiceError('worker_lost', 'The worker that wrote the file of the query died; try again.')
  }
  const writer: FileWriter = {
    get bytes() {
      return file.bytes
    },
    get setAside() {
      return spool.bytes
    },
    write(given, writing) {
      checkCore(writing.core)
      const { table: all, types } = rowTable(given, fields, writing)
      const table = placedRows(all, dimensions, core)
      try {
        if (table.rows === 0) return
        constants.observe(table, types, writing)
        const of = order.flatMap((index) => table.columns[index] ?? [])
        const bytes = adviseOnMemory(columns, grid, () => grid.spool(of, table.rows))
        blocks.push({ position: spool.append(bytes), length: bytes.length, rows: table.rows })
      } finally {
        for (const column of table.columns) core.free(column)
      }
      checkGridBytes(columns, sizes(columns, grid), plan.maximumBytes, false)
    },
    finish(writing) {
      checkCore(writing.core)
      steps ??= completeGrid({ ...parts, maximumBytes: plan.maximumBytes })
      for (const end = performance.now() + STEPS_MS; performance.now() < end; ) {
        writing.checkCancelled()
        if (steps.next().done === true) return true
      }
      return false
    },
    close() {
      grid.free()
      file.discard()
    },
  }
  return writer
}

function open(core: Core, { dimensions, variables }: GridColumns, file: Nc4File): Grid {
  try {
    return core.grid(
      dimensions.map(({ values }) => values),
      variables.map(({ values, fill }) => ({ type: values, fill })),
    )
  } catch (error) {
    file.discard()
    throw error
  }
}

function sizes({ dimensions }: GridColumns, grid: Grid): number[] {
  return dimensions.map((_, index) => grid.size(index))
}

/** Says what takes the memory if there is too little of it. */
function adviseOnMemory<T>(columns: GridColumns, grid: Grid, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'memory_limit') throw cause
    const counts = columns.dimensions.map(
      ({ name }, index) => `${grid.size(index)} of ${JSON.stringify(name)}`,
    )
    throw new ServiceError(
      'memory_limit',
      `The distinct values of the dimensions do not fit into the memory of a worker (${cause.message}): there are at least ` +
        `${counts.join(', ')}. Round the dimensions, filter the rows, or raise SERVICE_WORKER_MEMORY_MB.`,
      { cause },
    )
  }
}
