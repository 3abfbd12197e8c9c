import type { Lookups } from '../../catalog/lookups.ts'
import type { FingerprintRecorder } from '../../datasets/fingerprint/fingerprint.ts'
import { RIGHTS_OF_TABLES } from '../../datasets/search.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { FindLocated } from '../source/named/location-table.ts'
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
  const { catalog, search, searchLocation, openListing, formats } = options
  const { rights, isSuperUser } = lookups.caller
  const findPaths: FindFiles = (paths, format, filter) =>
    search(paths, rights, signal, fingerprint, formats.storageOf(format), filter)
  const findFiles: FindFiles = (paths, format, filter) =>
    search(paths, RIGHTS_OF_TABLES, signal, fingerprint, formats.storageOf(format), filter)
  const findLocated: FindLocated = (location, format, test) =>
    searchLocation(location, test, RIGHTS_OF_TABLES, signal, fingerprint, formats.storageOf(format))
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
