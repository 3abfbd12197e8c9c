import { createColumns } from './columns.ts'
import type { Core } from './core.ts'
import { csvText } from './csv-text.ts'
import { createEncoders } from './encoders.ts'
import { createGroups } from './groups.ts'
import { type Instance, instantiate } from './instance.ts'
import { createMasks } from './masks.ts'
import { createOrders } from './orders.ts'
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
    csvText: (dialect, fields) => csvText(instance, dialect, fields),
    inflateLz4: (frame, size) => inflate(instance, 'lz4_frame', frame, size),
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
  bytes: Uint8Array,
  size: number,
): Uint8Array {
  instance.setArguments(bytes)
  instance.call(name, size)
  return new Uint8Array(instance.copy(instance.result(0), instance.result(1)))
}
