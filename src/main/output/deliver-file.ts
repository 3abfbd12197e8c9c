import type { Delivered } from './body.ts'
import type { Files, RowsDelivery } from './deliver.ts'
import { withIdleLimit } from './idle-limit.ts'
import type { TempFile } from './temp/temp-file.ts'

/** An answer that `write` makes in a temporary file. It is complete before it is sent, so that an error has a status of its own. */
export async function deliverFile(
  { figures, complete, onIdle }: Pick<RowsDelivery, 'figures' | 'complete' | 'onIdle'>,
  { folder, idleMs }: Pick<Files, 'folder' | 'idleMs'>,
  write: (file: TempFile) => Promise<void>,
): Promise<Delivered> {
  const file = await folder.open()
  try {
    await write(file)
    figures.bytes = file.size
    await complete()
    return { ...withIdleLimit(file.read(), idleMs, onIdle), size: file.size }
  } catch (error) {
    await file.discard()
    throw error
  }
}
