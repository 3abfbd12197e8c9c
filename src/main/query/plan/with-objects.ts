import type { FileRef } from '../../../plan/source/file.ts'
import type { ScanTask } from '../../../plan/task/task.ts'
import type { Ticket } from '../../dispatch/ticket.ts'

/** Of a task that reads a folder: whether its answer lists the objects that it was made from. */
export function withObjects(
  { folder }: FileRef,
  { objects }: Pick<Ticket, 'objects'>,
): Pick<ScanTask, 'tellsObjects'> {
  return folder === undefined ? NONE : { tellsObjects: objects.areWanted }
}

const NONE = Object.freeze({})
