import type { TempBytes } from './plain-bytes.ts'

/** The bytes that another service has sent, which are in no file of the dataset root. */
export type FetchedBytes =
  /** Few of them, in memory that threads share. */
  | { readonly kind: 'memory'; readonly bytes: SharedArrayBuffer }
  | { readonly kind: 'temp'; readonly temp: TempBytes }
