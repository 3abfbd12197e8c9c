import type { Lookups } from '../../catalog/lookups.ts'
import type { FingerprintRecorder } from '../../datasets/fingerprint/fingerprint.ts'
import { RIGHTS_OF_TABLES } from '../../datasets/search.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { FindLocated, FindRemaining } from '../source/named/location-table.ts'
import type { OnObjects } from '../source/on-answer.ts'
import { createOpenRemote } from '../source/remote/remote-rows.ts'
import type { SourceResolution } from '../source/resolve-source.ts'
import type { FindFiles } from '../source/table.ts'
import type { QueryServiceOptions } from './options.ts'

/**
 * How the sources of a query are resolved. The fingerprint records the files and folders that the query depends on, as the
 * lookups record the names.
 * @param hops How many services the request has come through.
 */
export function resolutionOf(
  options: QueryServiceOptions,
  lookups: Lookups,
  signal: AbortSignal,
  fingerprint?: FingerprintRecorder,
  hops = 0,
): SourceResolution {
  const { catalog, search, searchLocation, manyFiles, openListing, formats } = options
  const { rights, isSuperUser } = lookups.caller
  const findPaths: FindFiles = (paths, format, filter) =>
    search(paths, rights, signal, fingerprint, formats.storageOf(format), filter)
  const findFiles: FindFiles = (paths, format, filter) =>
    search(paths, RIGHTS_OF_TABLES, signal, fingerprint, formats.storageOf(format), filter)
  const findLocated: FindLocated = async (location, format, test) => {
    const storage = formats.storageOf(format)
    const located = await searchLocation(location, test, RIGHTS_OF_TABLES, signal, fingerprint, storage)
    manyFiles.listed(location, located.files.length)
    return located
  }
  const findRemaining: FindRemaining = async (asked) => {
    if (formats.storageOf(asked.format).kind === 'folder') return null
    const remaining = await manyFiles.remaining(asked, signal)
    // It depends on all files, and they are more than a fingerprint has.
    if (remaining !== null) fingerprint?.invalidate()
    return remaining
  }
  const openRemote = createOpenRemote(options, { hops, isSuperUser }, signal)
  const listing = openListing(rights, signal, fingerprint)
  const { name, defaultTable } = catalog
  return {
    lookups,
    catalogName: name,
    defaultTable,
    findPaths,
    findFiles,
    findLocated,
    findRemaining,
    openRemote,
    listing,
    formats,
  }
}

/** Adds objects to a fingerprint. They must be read after this call. Once it is invalid, workers tell of no more. */
export function recordingOf(fingerprint: FingerprintRecorder, { objects: ticketObjects }: Ticket): OnObjects {
  const requestedAt = Date.now()
  return (objects) => {
    if (objects === null) fingerprint.invalidate()
    else for (const object of objects) fingerprint.recordObject(object, requestedAt)
    ticketObjects.areWanted = fingerprint.isVerifiable
  }
}
