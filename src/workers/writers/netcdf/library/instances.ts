import { loadModuleFactory } from '../../../formats/hdf5/library/module.ts'
import { createFileAccess, type FileAccess } from './file-access.ts'
import type { WritingModule } from './writing-module.ts'

/** An instance of the HDF5 library, which writes one file at a time. */
export interface Instance {
  readonly library: WritingModule
  readonly access: FileAccess
}

/** An instance is kept for the next file unless its memory, which never shrinks, has grown to more bytes. It begins with 19 MB. */
const MAX_HEAP_BYTES = 48 << 20

/** One that no file uses. */
let idle: Instance | null = null

/** An instance that nobody else has. The library is loaded with the first one. */
export async function takeInstance(): Promise<Instance> {
  const idleInstance = idle
  idle = null
  return idleInstance ?? start()
}

/** Returns an instance whose file was closed without a failure. One that has failed may have objects open, and is dropped. */
export function returnInstance(instance: Instance): void {
  if (instance.library.HEAPU8.length <= MAX_HEAP_BYTES) idle = instance
}

async function start(): Promise<Instance> {
  const make = await loadModuleFactory()
  const silent = (): void => {}
  const library = (await make({ noInitialRun: true, print: silent, printErr: silent })) as WritingModule
  return { library, access: createFileAccess(library.FS) }
}
