import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { fault } from '../../../fault.ts'
import type { Codec } from '../../stored-zarr.ts'
import { plainName } from './codec-name.ts'
import type { Numbers } from './numbers.ts'

/** A chunk as zarrita has it: elements, shape, and the elements from one index to the next along each dimension. */
interface ZarritaChunk {
  readonly data: Numbers
  readonly shape: readonly number[]
  readonly stride: readonly number[]
}

/** A codec of zarrita. `decode` takes a chunk, or the bytes of one for a codec that makes bytes, and may throw. */
export interface ZarritaCodec {
  decode(encoded: ZarritaChunk | Uint8Array): { readonly data: unknown }
}

interface CodecClass {
  fromConfig(
    configuration: object,
    array: { readonly dataType: string; readonly shape: readonly number[] },
  ): ZarritaCodec
}

interface Zarrita {
  readonly registry: ReadonlyMap<string, () => CodecClass>
}

let loaded: Zarrita | null = null

/** The package has only an entry for `import`, which cannot wait here. Loading takes some 20 ms, and happens when an array needs it. */
function zarrita(): Zarrita {
  loaded ??= createRequire(import.meta.url)(fileURLToPath(import.meta.resolve('zarrita'))) as Zarrita
  return loaded
}

/** A codec that zarrita decodes, applied to elements of a type of version 3. Throws `unreadable_file` for a wrong configuration. */
export function zarritaCodec(
  { name, configuration }: Codec,
  dataType: string,
  shape: readonly number[],
): ZarritaCodec {
  const { registry } = zarrita()
  const create =
    registry.get(name) ?? registry.get(plainName(name)) ?? registry.get(`numcodecs.${plainName(name)}`)
  if (create === undefined) throw new RangeError(`zarrita has no codec ${name}`)
  return withFaults(name, () => create().fromConfig(configuration, { dataType, shape }))
}

/** Runs what zarrita does with untrusted metadata and bytes. What it throws becomes `unreadable_file`. */
export function withFaults<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw fault(`its codec ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
