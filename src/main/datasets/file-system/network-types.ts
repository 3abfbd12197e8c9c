/**
 * File systems that another machine or another process serves, so that a call may hang. Their numbers are those of
 * `statfs(2)`, from linux/magic.h and the manual page.
 */
const NETWORK_TYPES: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2 and 3
  0x65735546, // FUSE, and what is made with it: sshfs, s3fs, GlusterFS, virtiofs, …
  0x01021997, // 9P
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x19830326, // BeeGFS
  0x20030528, // OrangeFS
  0xaad7aaea, // PanFS
  0xbeefdead, // StorNext
  0x5346414f, // OpenAFS
  0x6b414653, // AFS
  0x73757245, // Coda
  0x564c, // NCP
  0x01161970, // GFS2
  0x7461636f, // OCFS2
  0x786f4256, // VirtualBox shared folders
  0xbacbacbc, // VMware shared folders
  0x0187, // autofs, which mounts any of these on access
])

/** Whether a call to a file system of this type may wait for another machine or process. */
export function isNetworkType(type: number): boolean {
  // On some systems the number is negative: it was sign-extended from 32 bits.
  return NETWORK_TYPES.has(type >>> 0)
}
