import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { Directory } from '../auth/directory/directory.ts'
import { type AttachedCatalogs, createAttachedCatalogs } from '../catalog/attached/attached-catalogs.ts'
import { withAttached } from '../catalog/attached/with-attached.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { openStoredCatalog, type StoredCatalog } from '../catalog/store/open-stored-catalog.ts'
import { type StorePaths, storePaths } from '../catalog/store/paths.ts'
import { type DatasetFileService, openDatasetFileService } from '../dataset-files/dataset-files.ts'
import { stagingName } from '../dataset-files/file-path.ts'
import { type ChangeClock, openChangeClock } from '../datasets/change-clock.ts'
import { type DatasetRoot, openDatasetRoot } from '../datasets/root.ts'
import { endInterruptedRuns } from '../history/crawler-runs.ts'
import { openMetricsDatabase } from '../history/open-metrics.ts'
import { createMetricsStore, type MetricsStore } from '../history/store.ts'
import { createTempFolder, sweepTempFolder, type TempFolder } from '../output/temp/temp-folder.ts'
import { ensureSample } from '../sample.ts'
import type { Config } from '../settings/config.ts'
import { ANY_ATTACHED } from '../sql/gate/check-names.ts'
import { createNamesIn } from '../sql/gate/names-in.ts'
import type { SqliteDatabase } from '../sqlite/open-database.ts'
import { createQueryCheck } from '../statements/check-query.ts'
import type { ServiceParts } from './service-parts.ts'

/** What the service has on disks. */
export interface Stores {
  readonly paths: StorePaths
  readonly stored: StoredCatalog
  readonly directory: Directory
  readonly attached: AttachedCatalogs
  /** The stored catalog, or a test's, with the attached ones. */
  readonly catalog: Catalog
  readonly tempFolder: TempFolder
  readonly datasets: DatasetRoot
  /** The path of the dataset root without symbolic links, where it can be resolved. */
  readonly datasetsDir: string
  /** Folders of the service, which no query reads where the dataset root holds them. */
  readonly hidden: readonly string[]
  readonly datasetFiles: DatasetFileService
  /** The database of the metrics. */
  readonly database: SqliteDatabase
  readonly metrics: MetricsStore
  readonly clock: ChangeClock
}

/**
 * Opens what the service has on disks, the catalog first: nothing is written before it is known that no other service uses the folder. Rejects with
 * `ServiceError` if something cannot be used.
 */
export async function openStores(
  config: Config,
  logger: Logger,
  formats: Formats,
  parts: ServiceParts,
): Promise<Stores> {
  const paths = storePaths(config.tablesDir)
  const names = { formats, catalog: config.name, isAttached: ANY_ATTACHED }
  const stored = await openStoredCatalog({
    ...config,
    formats,
    namesIn: createNamesIn(names),
    checkQuery: createQueryCheck(names),
    paths,
    log: logger,
    ...parts.store,
  })
  const attached = createAttachedCatalogs({
    formats,
    name: config.name,
    store: stored.attachedStore,
    onUnreadable: (name, err) =>
      logger.error({ err, name }, 'a stored attached catalog cannot be read, and is left out'),
    ...parts.store,
  })
  const catalog = withAttached(parts.catalog ?? stored, attached)
  if (config.makesSample && (await ensureSample(config.datasetsDir)))
    logger.info({ datasets: config.datasetsDir }, 'made a sample data set')
  if (config.ownsDatasets) await mkdir(config.datasetsDir, { recursive: true })
  const tempFolder = await openTempFolder(config, logger)
  // If the root holds them: the catalog would lose its lock if a query read its file, and answers are for those who asked.
  const ownFolders = await Promise.all([config.tablesDir, config.tmpDir].map((folder) => realpath(folder)))
  // A root that cannot be opened is reported when it is.
  const datasetsDir = await realpath(config.datasetsDir).catch(() => config.datasetsDir)
  const hidden = [...ownFolders, join(datasetsDir, stagingName(config.name))]
  const datasets = await openDatasetRoot(config.datasetsDir, { ...parts.files, hidden })
  const datasetFiles = await openDatasetFileService({
    ...config,
    root: datasets,
    catalog,
    store: stored.uploads,
    log: logger,
    ...(parts.writingSystem && { system: parts.writingSystem }),
  })
  const database = openMetricsDatabase(paths.metrics)
  endInterruptedRuns(database)
  const metrics = createMetricsStore(database, {
    retentionDays: config.metricsRetentionDays,
    maximumRows: config.metricsMaxQueries,
    maximumBytes: config.metricsMaxBytes,
    log: logger,
  })
  const { directory = stored.directory } = parts
  const clock = await openChangeClock(config.tmpDir)
  return {
    paths,
    stored,
    directory,
    attached,
    catalog,
    tempFolder,
    datasets,
    datasetsDir,
    hidden,
    datasetFiles,
    database,
    metrics,
    clock,
  }
}

async function openTempFolder(config: Config, logger: Logger): Promise<TempFolder> {
  const { tmpDir, maxOutputBytes, maxTempBytes, minFreeBytes } = config
  await mkdir(tmpDir, { recursive: true })
  try {
    const swept = await sweepTempFolder(tmpDir)
    if (swept > 0) logger.warn({ swept }, 'deleted temporary files that an earlier process had left')
  } catch (error) {
    logger.warn({ err: error }, 'temporary files of an earlier process could not be deleted')
  }
  const limits = { outputBytes: maxOutputBytes, totalBytes: maxTempBytes, reservedBytes: minFreeBytes }
  return createTempFolder(tmpDir, limits)
}
