import type { InflatedBytes } from './boxes/box-column.ts'
import { createColumns } from './columns.ts'
import type { Core } from './core.ts'
import { createEvaluating } from './evaluate/evaluate.ts'
import { type Instance, instantiate } from './instance.ts'
import { createGrid } from './kernels/create-grid.ts'
import { createEncoders } from './kernels/encoders.ts'
import { createGroups } from './kernels/groups.ts'
import { createMasks } from './kernels/masks.ts'
import { createOrders } from './kernels/orders.ts'
import { points } from './kernels/points.ts'
import { createRasters } from './kernels/rasters.ts'
import { createVectors } from './kernels/vectors.ts'
import { reserve } from './reserve.ts'
import { copyRows } from './text/copy-rows.ts'
import { csvText } from './text/csv-text.ts'

export interface CoreLimits {
  /** The most memory of the core. */
  readonly maximumBytes: number
  /** How far the memory grows at the start. Default: not at all. */
  readonly reservedBytes?: number
}

/** Creates a core. Each thread compiles the module once. */
export function createCore({ maximumBytes, reservedBytes = 0 }: CoreLimits): Core {
  const instance = instantiate(maximumBytes)
  if (reservedBytes > 0) reserve(instance, reservedBytes)
  const columns = createColumns(instance)
  return {
    ...columns,
    ...createEvaluating(instance, columns),
    ...createMasks(instance),
    ...createGroups(instance),
    ...createOrders(instance),
    ...createEncoders(instance),
    ...createVectors(instance),
    points: (x, xType, y, yType) => points(instance, x, xType, y, yType),
    copyRows: (form, types, wanted) => copyRows(instance, form, types, wanted),
    csvText: (dialect, fields) => csvText(instance, dialect, fields),
    grid: (dimensions, variables) => createGrid(instance, dimensions, variables),
    storedRoom: instance.argumentRoom,
    inflateLz4: (frame, size) => new Uint8Array(inflate(instance, 'lz4_frame', frame, size).copy()),
    inflateLz4Block: (block, size) => inflate(instance, 'lz4_block', block, size),
    inflateZlib: (stream, most) => inflate(instance, 'zlib', stream, most),
    inflateLz4Blocks: (blocks, most) => inflate(instance, 'lz4_blocks', blocks, most),
    inflateLzf: (stored, most) => inflate(instance, 'inflate_lzf', stored, most),
    inflateBlosc: (frame, most, elementBytes) =>
      inflate(instance, 'inflate_blosc', frame, most, elementBytes),
    unshuffle: (shuffled, width) => inflate(instance, 'inflate_shuffled', shuffled, width),
    rasters: createRasters(instance),
    usedBytes() {
      instance.call('used_bytes')
      return instance.result(0)
    },
    watch: instance.watch,
    memoryBytes: instance.memoryBytes,
    isDead: instance.isDead,
  }
}

function inflate(
  instance: Instance,
  name: `lz4_${'block' | 'blocks' | 'frame'}` | 'zlib' | `inflate_${'blosc' | 'lzf' | 'shuffled'}`,
  stored: Uint8Array,
  ...numbers: readonly number[]
): InflatedBytes {
  instance.setArguments(stored)
  const isShuffled = instance.call(name, ...numbers) === 1
  const [address, length] = [instance.result(0), instance.result(1)]
  return { length, isShuffled, copy: () => instance.copy(address, length) }
}
