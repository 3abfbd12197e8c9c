/** The states of a file of which statistics are wanted, by their names in `system.file_stats`. */
export type FileState = (typeof FILE_STATES)[number]

/** `Stale`: it was analyzed or failed, and has changed. `Deleted`: the last run over its folder has not met it any more. */
export const FILE_STATES = Object.freeze(['Pending', 'Analyzed', 'Failed', 'Stale', 'Deleted'] as const)

/** Files that a walk has met. All lists are as long. */
export interface WalkedFiles {
  /** Relative to the dataset root. */
  readonly paths: readonly string[]
  /** The location of each: absolute, without symbolic links. */
  readonly locations: readonly string[]
  /** The ids of their formats in listings. */
  readonly formats: readonly string[]
  /** Their versions by `versionKey`. */
  readonly versions: readonly string[]
}

/** A file that waits for its statistics. */
export interface PendingFile {
  readonly id: number
  readonly path: string
  readonly location: string
  readonly version: string
}

/** What became of a file in a run. */
export interface FileOutcome {
  readonly id: number
  readonly state: 'Analyzed' | 'Failed'
  readonly columns: number | null
  readonly rows: number | null
  /** Bytes of all columns when decoded, as estimated. */
  readonly bytes: number | null
}

/** A file as it is listed. */
export interface RegisteredFile {
  readonly id: number
  readonly path: string
  readonly state: FileState
  readonly format: string
  readonly version: string
  readonly columns: number | null
  readonly rows: number | null
  readonly bytes: number | null
  /** The number of the run in which it was analyzed or failed. Null: in none. */
  readonly epoch: number | null
}

/** Analyzed files whose ids follow each other. */
export interface FileSegment {
  readonly seq: number
  readonly minId: number
  readonly maxId: number
  readonly files: number
  /** The most columns of a file. */
  readonly columns: number
}

/** So many ids are a segment, of which some may belong to no file. */
export const SEGMENT_IDS = 1024

/** The files of the dataset root of which statistics are wanted: which there are, and which have been analyzed. One run at a time. */
export interface FileRegistry {
  /** Whether any file has ever been registered. */
  hasFiles(): Promise<boolean>
  /** Begins a run over a folder, `''` for the root. `isForced`: all files are analyzed, whether or not they have changed. */
  beginRun(prefix: string, isForced: boolean): Promise<void>
  /** Adds files that the walk of the run has met. Those that are new or have changed wait from now on. */
  register(files: WalkedFiles): Promise<{ readonly discovered: number; readonly requeued: number }>
  /** The next files of the run that wait, whose ids are greater than `after`, by ascending ids. */
  takePending(after: number, most: number): Promise<readonly PendingFile[]>
  /** Stores what became of files. What was learned of them has to be put before: it is written first. */
  settle(outcomes: readonly FileOutcome[]): Promise<void>
  /** Ends the run. `hasMetAll`: files that it has not met are gone. Returns the number of segments, and of files that still wait. */
  endRun(hasMetAll: boolean): Promise<{ readonly segments: number; readonly pending: number }>
  /** Files whose ids are greater than `after`, by ascending ids. */
  list(after: number, most: number): Promise<readonly RegisteredFile[]>
  segments(): Promise<readonly FileSegment[]>
  /** Files by their paths. Null: it is not registered. */
  find(paths: readonly string[]): Promise<readonly (RegisteredFile | null)[]>
}

/** The segment of the file with this id. */
export function segmentOf(id: number): number {
  return Math.floor((id - 1) / SEGMENT_IDS)
}

/** The name of a segment: its first and its last id. */
export function segmentName(seq: number): string {
  return `${seq * SEGMENT_IDS + 1}-${(seq + 1) * SEGMENT_IDS}`
}

/** No file is registered, and none can be. */
export const NO_FILE_REGISTRY: FileRegistry = Object.freeze({
  hasFiles: async () => false,
  async beginRun() {},
  register: async () => ({ discovered: 0, requeued: 0 }),
  takePending: async () => [],
  async settle() {},
  endRun: async () => ({ segments: 0, pending: 0 }),
  list: async () => [],
  segments: async () => [],
  find: async (paths: readonly string[]) => paths.map(() => null),
})
