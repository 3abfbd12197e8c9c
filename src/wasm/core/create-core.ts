import type { InflatedBytes } from './box-column.ts'
import { createColumns } from './columns.ts'
import type { Core } from './core.ts'
import { createGrid } from './create-grid.ts'
import { csvText } from './csv-text.ts'
import { createEncoders } from './encoders.ts'
import { createGroups } from './groups.ts'
import { type Instance, instantiate } from './instance.ts'
import { createMasks } from './masks.ts'
import { createOrders } from './orders.ts'
import { points } from './points.ts'
import { createVectors } from './vectors.ts'

/** Creates a core, whose memory never exceeds `maximumBytes`. Each thread compiles the module once. */
export function createCore(limits: { readonly maximumBytes: number }): Core {
  const instance = instantiate(limits.maximumBytes)
  return {
    ...createColumns(instance),
    ...createMasks(instance),
    ...createGroups(instance),
    ...createOrders(instance),
    ...createEncoders(instance),
    ...createVectors(instance),
    points: (x, xType, y, yType) => points(instance, x, xType, y, yType),
    csvText: (dialect, fields) => csvText(instance, dialect, fields),
    grid: (dimensions, variables) => createGrid(instance, dimensions, variables),
    inflateLz4: (frame, size) => new Uint8Array(inflate(instance, 'lz4_frame', frame, size).copy()),
    inflateZlib: (stream, most) => inflate(instance, 'zlib', stream, most),
    usedBytes() {
      instance.call('used_bytes')
      return instance.result(0)
    },
    isDead: instance.isDead,
  }
}

function inflate(
  instance: Instance,
  name: 'lz4_frame' | 'zlib',
  stored: Uint8Array,
  most: number,
): InflatedBytes {
  instance.setArguments(stored)
  instance.call(name, most)
  const [address, length] = [instance.result(0), instance.result(1)]
  return { length, copy: () => instance.copy(address, length) }
}
