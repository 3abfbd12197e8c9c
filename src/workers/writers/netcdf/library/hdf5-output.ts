import { ServiceError } from '../../../../plan/errors.ts'
import { writeError } from '../../../../plan/output/write-error.ts'
import { loadModuleFactory, OBJECT_TYPE } from '../../../formats/hdf5/library/module.ts'
import { whenTrimmed } from '../../../store/when-trimmed.ts'
import { createFileAccess, type FileAccess, WRITTEN_FILE } from './file-access.ts'
import {
  DEFLATE,
  type ElementType,
  TRUNCATE,
  UNLIMITED,
  VERSION_1_8,
  type WritingModule,
} from './writing-module.ts'

/** The extent of a dataset. */
export interface Extent {
  readonly shape: readonly number[]
  /** For each axis whether it can grow. */
  readonly canGrow: readonly boolean[]
  /** The shape of a chunk. Null: the elements are stored in one piece. */
  readonly chunks: readonly number[] | null
  /** The level of deflate for chunks. 0: they are not compressed. */
  readonly deflate: number
}

/**
 * An HDF5 file that is written. Paths begin with `/`. Each call throws `disk_full` and `output_failed` as soon as a system call has
 * failed, and an `Error` if the library has failed for another reason. After that only `discard` may be called.
 */
export interface Hdf5Output {
  /** The bytes of the file. */
  readonly bytes: number
  /** Allocates memory of the library, until `free`. Throws `memory_limit`. */
  allocate(bytes: number): number
  free(pointer: number): void
  /** The memory of the library. It moves when memory is allocated or a call is made. */
  heap(): Uint8Array
  createDataset(path: string, type: ElementType, extent: Extent): void
  resize(path: string, shape: readonly number[]): void
  /** Writes the elements at an address to a box of a dataset. Those of texts are 32-bit addresses of texts that end in NUL. */
  write(path: string, from: readonly number[], count: readonly number[], pointer: number): void
  /** Adds an attribute. `shape` empty: it is a scalar. */
  createAttribute(
    path: string,
    name: string,
    type: ElementType,
    shape: readonly number[],
    elements: Uint8Array,
  ): void
  setScale(path: string, label: string): void
  attachScale(path: string, scale: string, axis: number): void
  /** Where the object header of a dataset is in the file. */
  addressOf(path: string): number
  /** Completes the file. */
  close(): void
  /** Gives up the file. Never throws. */
  discard(): void
}

/** Begins a file, which replaces the content of the descriptor's file. */
export async function createHdf5Output(descriptor: number): Promise<Hdf5Output> {
  const instance = await takeInstance()
  const { library, access } = instance
  access.admit(descriptor)
  const file = call(instance, () => library.open(WRITTEN_FILE, TRUNCATE, true, VERSION_1_8, VERSION_1_8))

  const calling = <T>(work: () => T): T => call(instance, work)

  function allocate(bytes: number): number {
    const pointer = library._malloc(Math.max(1, bytes))
    if (pointer !== 0) return pointer
    throw new ServiceError(
      'memory_limit',
      'The NetCDF file takes more memory than it may; select fewer columns.',
    )
  }

  return {
    get bytes() {
      return access.bytes
    },
    allocate,
    free: (pointer) => library._free(pointer),
    heap: () => library.HEAPU8,
    createDataset(path, type, { shape, canGrow, chunks, deflate }) {
      const isEmpty = shape.includes(0)
      const make = () =>
        library.create_dataset(file, path, 0n, {
          ...type,
          littleEndian: true,
          shape: shape.map(BigInt),
          maxshape: shape.map((length, axis) => (canGrow[axis] === true ? UNLIMITED : BigInt(length))),
          chunks: chunks?.map(BigInt) ?? null,
          ...(deflate > 0 && { compression: DEFLATE, compression_opts: [deflate] }),
          track_order: true,
        })
      if (isEmpty) calling(make)
      // It is created, and then the library prints that there are no elements.
      else callAnyway(instance, make)
      calling(() => {
        if (library.get_type(file, path) !== OBJECT_TYPE.dataset)
          throw new Error(`the HDF5 library does not create ${path}`)
      })
    },
    resize(path, shape) {
      calling(() => library.resize_dataset(file, path, shape.map(BigInt)))
    },
    write(path, from, count, pointer) {
      calling(() =>
        library.set_dataset_data(
          file,
          path,
          count.map(BigInt),
          from.map(BigInt),
          count.map(() => 1n),
          BigInt(pointer),
        ),
      )
    },
    createAttribute(path, name, type, shape, elements) {
      const pointer = allocate(elements.length)
      try {
        library.HEAPU8.set(elements, pointer)
        const sizes = shape.map(BigInt)
        const metadata = { shape: sizes, maxshape: null, chunks: null, track_order: false }
        calling(() =>
          library.create_attribute(file, path, name, BigInt(pointer), {
            ...type,
            ...metadata,
            littleEndian: true,
          }),
        )
      } finally {
        library._free(pointer)
      }
    },
    setScale: (path, label) => void calling(() => library.set_scale(file, path, label)),
    attachScale: (path, scale, axis) => void calling(() => library.attach_scale(file, path, scale, axis)),
    addressOf(path) {
      const reference = Uint8Array.from(calling(() => library.create_object_reference(file, path)))
      return Number(new DataView(reference.buffer).getBigUint64(0, true))
    },
    close() {
      calling(() => library.close_file(file))
      returnInstance(instance)
    },
    // The instance has the file open, and is dropped with it. Nothing else has it.
    discard() {},
  }
}

/** Calls the library. A call that has failed returns a negative number, or another status and has printed why. */
function call<T>(instance: Instance, work: () => T): T {
  const { access } = instance
  const before = access.prints()
  const result = callAnyway(instance, work)
  const hasFailed = (typeof result === 'number' || typeof result === 'bigint') && result < 0
  if (hasFailed || access.prints() !== before)
    throw new Error(`the HDF5 library fails: ${access.printed().slice(0, 1000)}`)
  return result
}

/** Calls the library, and ignores its own failures, but not those of system calls. */
function callAnyway<T>({ access }: Instance, work: () => T): T {
  let result: T
  try {
    result = atNoTime(work)
  } catch (error) {
    throw access.error() === null ? error : writeError(access.error())
  }
  if (access.error() !== null) throw writeError(access.error())
  return result
}

/** Runs `work` while the clock stands still: the library writes the time into headers, and equal rows have to give equal bytes. */
function atNoTime<T>(work: () => T): T {
  const { now } = Date
  Date.now = () => 0
  try {
    return work()
  } finally {
    Date.now = now
  }
}

/** An instance of the HDF5 library, which writes one file at a time. */
interface Instance {
  readonly library: WritingModule
  readonly access: FileAccess
}

/** An instance is kept for the next file unless its memory, which never shrinks, has grown to more bytes. It begins with 19 MB. */
const MAX_HEAP_BYTES = 48 << 20

/** One that no file uses. */
let idle: Instance | null = null

whenTrimmed(() => {
  idle = null
})

/** An instance that nobody else has. The library is loaded with the first one. */
async function takeInstance(): Promise<Instance> {
  const idleInstance = idle
  idle = null
  return idleInstance ?? start()
}

/** Returns an instance whose file was closed without a failure. One that has failed may have objects open, and is dropped. */
function returnInstance(instance: Instance): void {
  if (instance.library.HEAPU8.length <= MAX_HEAP_BYTES) idle = instance
}

async function start(): Promise<Instance> {
  const make = await loadModuleFactory()
  const silent = (): void => {}
  const library = (await make({ noInitialRun: true, print: silent, printErr: silent })) as WritingModule
  return { library, access: createFileAccess(library.FS) }
}
