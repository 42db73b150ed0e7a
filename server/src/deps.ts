import type { Logger } from 'pino'
import type { Db } from '#db/client.ts'
import type { MessageSearch } from '#db/message-search/port.ts'
import type { JobQueue } from '#jobs/queue.ts'
import type { Assistant } from '#providers/assistant/port.ts'
import type { BreachedPasswords } from '#providers/breached-passwords/port.ts'
import type { FileStore } from '#providers/files/port.ts'
import type { ImageEncoder } from '#providers/images/port.ts'
import type { Mailer } from '#providers/mail/port.ts'
import type { PassageIndex } from '#providers/passage-index/port.ts'
import type { TextExtractor } from '#providers/text-extraction/port.ts'
import type { ClusterState } from './cluster/cluster-state.ts'
import type { ClusterLinks } from './cluster/links.ts'
import type { Connections } from './connections/connections.ts'
import type { Env } from './env.ts'
import type { SessionTouches } from './features/auth/session-touches.ts'
import type { DiskGuard } from './files/disk-guard.ts'
import type { Secrets } from './keys/secrets.ts'
import type { FaultPoints } from './lib/fault-points.ts'
import type { Lifecycle } from './lifecycle.ts'

export interface Deps {
  env: Env
  secrets: Secrets
  db: Db
  breachedPasswords: BreachedPasswords
  files: FileStore
  images: ImageEncoder
  connections: Connections
  /** Follows the current connection. */
  mail: Mailer
  /** Follows the current connection: what a task needs throughout, it must read once. */
  assistant: Assistant
  passageIndex: PassageIndex
  messageSearch: MessageSearch
  textExtractor: TextExtractor
  jobs: JobQueue
  faults: FaultPoints
  lifecycle: Lifecycle<Deps>
  sessionTouches: SessionTouches
  disk: DiskGuard
  /** Milliseconds since 1970. */
  now: () => number
  log: Logger
  /** Identifies this process in leases. */
  nodeId: string
  cluster: ClusterState
  /** Null for a single server. */
  clusterLinks: ClusterLinks | null
}
