import type { Formats } from '../../plan/format/create-formats.ts'
import type { Directory } from '../auth/directory/directory.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { StoredCatalogOptions } from '../catalog/store/open-stored-catalog.ts'
import type { WalkFolder } from '../crawlers/run/crawl.ts'
import type { DatasetFileOptions } from '../dataset-files/dataset-files.ts'
import type { DatasetFilesOptions } from '../datasets/file-system/dataset-files.ts'
import type { RemotesOptions } from '../remotes/remotes.ts'

/** Parts of the service that a test may replace. */
export interface ServiceParts {
  /** The module that each worker thread runs. */
  readonly worker?: URL
  readonly catalog?: Catalog
  readonly directory?: Directory
  /** How the catalog is stored. See `StoredCatalogOptions`. */
  readonly store?: Pick<StoredCatalogOptions, 'entry' | 'atStep'>
  /** The formats of requests and listings. The workers' module has its own table, which must have the same formats. */
  readonly formats?: Formats
  /** See `QueryServiceOptions`. */
  readonly textHoldMs?: number
  /** The file system calls for the dataset root. */
  readonly files?: Partial<DatasetFilesOptions>
  /** How long other services may take, and how long the thread that asks them waits for more. */
  readonly remotes?: Pick<RemotesOptions, 'times' | 'idleMs' | 'reuseMs' | 'version'>
  /** See `StatementOptions`. */
  readonly attachMs?: number
  /** The system calls of uploads. */
  readonly writingSystem?: DatasetFileOptions['system']
  /** See `ManyFilesOptions`. */
  readonly mostListedFiles?: number
  /** How crawlers find files. */
  readonly walk?: WalkFolder
  /** Whether an engine and the thread of what is learned start, and the last queries are planned, before a query needs them. Default: true. */
  readonly isWarmedUp?: boolean
}
