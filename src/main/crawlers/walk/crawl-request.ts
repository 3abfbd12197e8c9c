/** What a walk looks for. */
export type CrawlRequest = Readonly<{
  /** The absolute path of the dataset root. */
  root: string
  /** The path below the root where the crawl starts, `''` for the whole root, without a slash at either end. */
  prefix: string
  /** The names of formats that count. None: the formats that are crawled without being named. */
  formats: readonly string[]
  /** Folders of the service itself below the root. Absolute paths without symbolic links. */
  hidden: readonly string[]
  /** Whether folders `key=value` are partitions of the folder above them. Absent: they are. */
  detectsPartitions?: boolean
}>

/** Files that are one table. */
export type CrawledGroup = Readonly<{
  /** The name of the table, not yet made unique. Empty: the folder is the root, or has no letter or digit of ASCII in its name. */
  name: string
  /** As LOCATION of CREATE EXTERNAL TABLE: relative to the root, with brackets escaped. */
  location: string
  /** As STORED AS. */
  format: string
  options: Readonly<Record<string, string>>
  /** The names of folders `key=value`, in their order. */
  partitions: readonly string[]
  /** How many files, or stores, a query of the location reads. */
  files: number
  /** Equal if the table has the same versions of the same files as in another walk. Absent: that is not known. */
  versions?: string
}>

/** What a walk has found. */
export type CrawlReport = Readonly<{
  /** In the order of their formats, and of their folders within a format. */
  groups: readonly CrawledGroup[]
  /** All files and links. */
  scannedFiles: number
  /** Folders that were read. */
  folders: number
  /** Files that listings have and no group has. A store, or a folder of Delta or Iceberg, is one. */
  skippedFiles: number
  /** What could not be read, or belongs to no table although its name says so. Examples are relative to the root. */
  unread: readonly Readonly<{ reason: string; count: number; example: string }>[]
}>
