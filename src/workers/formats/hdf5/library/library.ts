import { isServiceError, ServiceError } from '../../../../plan/errors.ts'
import { withMissingFunctions } from './missing-functions.ts'
import { type Hdf5Module, loadModuleFactory, type ModuleFactory } from './module.ts'
import { PLUGIN_FOLDER } from './plugins.ts'
import { createSandbox, PLANNED_FILE, type Sandbox } from './sandbox.ts'

/** A file that the library has opened. */
export interface OpenedFile {
  readonly library: Hdf5Module
  readonly id: bigint
}

/** The HDF5 library, which is loaded when it is first used. */
export interface Library {
  /**
   * Opens a file of bytes and runs `work` with it. `before` is called before an instance opens it. Throws `unreadable_file` if the
   * library cannot open it, or fails in `work`.
   */
  use<T>(bytes: Uint8Array, work: (file: OpenedFile) => T, before?: () => void): Promise<T>
}

/** What an instance can do beyond the library itself. */
export interface LibraryOptions {
  /** The files of plugins that it may load. */
  readonly plugins: readonly string[]
  /** Called with each new instance. `open` opens a file and runs `work` with it, as `use` does, but `work` may fail. */
  started(library: Hdf5Module, open: (bytes: Uint8Array, work: (file: OpenedFile) => void) => void): void
}

interface Instance {
  readonly library: Hdf5Module
  readonly sandbox: Sandbox
}

/** The memory of an instance never shrinks. One that has more bytes is replaced. */
const MAX_HEAP_BYTES = 128 << 20

const READ_ONLY = 0
/** The library chooses the bounds of its versions. */
const ANY_VERSION = -1

export function createLibrary({ plugins, started }: Partial<LibraryOptions> = {}): Library {
  let factory: Promise<ModuleFactory> | null = null
  let current: Promise<Instance> | null = null

  async function start(): Promise<Instance> {
    factory ??= loadModuleFactory()
    const silent = (): void => {}
    const make = await factory
    const library = await withMissingFunctions(() =>
      make({ noInitialRun: true, print: silent, printErr: silent }),
    )
    library.insert_plugin_search_path(PLUGIN_FOLDER, 0)
    const instance = { library, sandbox: createSandbox(library.FS, plugins ?? []) }
    started?.(library, (bytes, work) => {
      const { isSound } = outcomeIn(instance, bytes, work)
      if (!isSound) throw new Error('the HDF5 library does not start')
    })
    return instance
  }

  return {
    async use(bytes, work, before) {
      current ??= start().catch((error: unknown) => {
        current = null
        throw error
      })
      const instance = await current
      before?.()
      const { outcome, cause, isSound } = outcomeIn(instance, bytes, work)
      if (!isSound || instance.library.HEAPU8.length > MAX_HEAP_BYTES) current = null
      if ('result' in outcome) return outcome.result
      const { thrown } = outcome
      throw isServiceError(thrown) ? thrown : damaged(cause ?? messageOf(thrown), thrown)
    },
  }
}

/** What `work` returns or throws, and whether the instance can be used again. */
function outcomeIn<T>(instance: Instance, bytes: Uint8Array, work: (file: OpenedFile) => T) {
  const { sandbox } = instance
  sandbox.admit(bytes)
  const outcome = attempt(() => inLibrary(instance, work))
  const cause = sandbox.cause()
  const isClosed = sandbox.revoke()
  // A call that has thrown may leave objects open, and with them the file: the next one would be read as this one.
  const isBroken = 'thrown' in outcome && outcome.thrown instanceof WebAssembly.RuntimeError
  return { outcome, cause, isSound: isClosed && !isBroken }
}

function attempt<T>(work: () => T): { readonly result: T } | { readonly thrown: unknown } {
  try {
    return { result: work() }
  } catch (thrown) {
    return { thrown }
  }
}

function inLibrary<T>({ library }: Instance, work: (file: OpenedFile) => T): T {
  const id = library.open(PLANNED_FILE, READ_ONLY, false, ANY_VERSION, ANY_VERSION)
  if (id < 0n) throw new Error('the HDF5 library does not open it')
  try {
    return work({ library, id })
  } finally {
    library.close_file(id)
  }
}

/** The message of an error that the library has thrown without printing one. */
function messageOf(thrown: unknown): string {
  // It says in which function of C.
  if (thrown instanceof WebAssembly.RuntimeError) return 'the HDF5 library has failed'
  const isTold = thrown instanceof Error && !/name not defined/.test(thrown.message)
  return isTold ? thrown.message : 'one of its objects cannot be opened'
}

function damaged(what: string, cause: unknown): ServiceError {
  return new ServiceError('unreadable_file', what, { cause })
}
