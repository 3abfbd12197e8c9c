/** Bytes of a chunk that have passed a filter which only a library undoes that the annex loads. */
export interface FilteredBytes {
  readonly stored: ArrayBuffer
  readonly filter: RegisteredFilter
  /** How many bytes there are without the filter. */
  readonly bytes: number
}

export interface RegisteredFilter {
  /** The number under which the HDF Group has registered it. */
  readonly id: number
  readonly values: readonly number[]
}
