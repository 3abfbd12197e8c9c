/** What a walk looks for. */
export type CrawlRequest = Readonly<{
  /** The absolute path of the dataset root. */
  root: string
  /** The path below the root where the crawl starts, `''` for the whole root, without a slash at either end. */
  prefix: string
  /** The names of formats that count. None: the formats that are crawled without being named. */
  formats: readonly string[]
  /** Folders of the service itself below the root. */
  hidden: readonly string[]
  /** Whether folders `key=value` are partitions of the folder above them. Absent: they are. */
  detectsPartitions?: boolean
}>

/** Files that are one table. */
export type CrawledGroup = Readonly<{
  /** The name of the table, not yet made unique. Empty: the group lies in the root. */
  name: string
  /** As LOCATION of CREATE EXTERNAL TABLE: relative to the root, with brackets escaped. */
  location: string
  /** As STORED AS. */
  format: string
  options: Readonly<Record<string, string>>
  /** The names of folders `key=value`, in their order. */
  partitions: readonly string[]
  files: number
}>

/** What a walk has found. */
export type CrawlReport = Readonly<{
  groups: readonly CrawledGroup[]
  scannedFiles: number
  folders: number
  skippedFiles: number
  unread: readonly Readonly<{ reason: string; count: number; example: string }>[]
}>
