/** The part of h5wasm that is used: the HDF5 library, called with paths in an open file. Identifiers of files are bigints. */
export interface Hdf5Module {
  readonly HEAPU8: Uint8Array
  readonly FS: LibraryFiles
  /** Returns -1 on failure. */
  open(name: string, mode: number, trackOrder: boolean, lowest: number, highest: number): bigint
  close_file(file: bigint): number
  /** `ObjectType` of the object to which a path leads. */
  get_type(file: bigint, path: string): number
  /** The address of an object header, as 8 bytes. Zeros: the path leads to no object. */
  create_object_reference(file: bigint, path: string): ArrayLike<number>
  /**
   * Copies the elements of a box of a dataset to `pointer`. Without a box: all elements. Returns a negative number on failure, but also
   * copies what is not there, if filters give fewer bytes than a chunk has.
   */
  get_dataset_data(
    file: bigint,
    path: string,
    count: readonly bigint[] | null,
    offset: readonly bigint[] | null,
    strides: readonly bigint[] | null,
    pointer: bigint,
  ): number
  insert_plugin_search_path(path: string, index: number): void
  _malloc(bytes: number): number
  _free(pointer: number): void
}

/** Makes an instance of the library. */
export type ModuleFactory = (options: {
  readonly noInitialRun: boolean
  readonly print: (line: string) => void
  readonly printErr: (line: string) => void
}) => Promise<Hdf5Module>

/** The type of an object, as `get_type` gives it. */
export const OBJECT_TYPE = Object.freeze({ group: 0, dataset: 1 })

/** `H5T_class_t`. */
export const TYPE_CLASS = Object.freeze({
  int: 0,
  float: 1,
  string: 3,
  reference: 7,
  vlen: 9,
})

/** The functions by which the library reaches the file system. They are replaced (`sandbox.ts`). */
export interface LibraryFiles {
  readonly ErrnoError: new (errno: number) => Error
  createStream(stream: object): LibraryStream
  closeStream(descriptor: number): void
  getStreamChecked(descriptor: number): LibraryStream
}

export interface LibraryStream {
  readonly fd: number
  position: number
}

/** Loads h5wasm, which takes 0.2 s and 40 MB. Its own entry makes one instance; a damaged one has to be replaced. */
export async function loadModuleFactory(): Promise<ModuleFactory> {
  const { href } = new URL('hdf5_util.js', import.meta.resolve('h5wasm/node'))
  const { default: factory } = (await import(href)) as {
    readonly default: ModuleFactory
  }
  return factory
}
