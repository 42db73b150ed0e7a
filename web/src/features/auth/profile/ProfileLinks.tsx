import { TextLink } from '#ui/TextLink.tsx'
import { profileParts } from './profile-parts.ts'

/** Links to the parts of the profile, which is longer than most screens. On wide screens, they stay beside it; on phones, they scroll. */
export function ProfileLinks() {
  return (
    <nav aria-label="On this page" className="min-w-0 lg:sticky lg:top-20 lg:self-start">
      <ul className="fading-edges flex gap-x-4 gap-y-1 overflow-x-auto text-sm max-sm:whitespace-nowrap sm:flex-wrap lg:flex-col lg:gap-y-3">
        {Object.entries(profileParts).map(([part, title]) => (
          <li key={part}>
            <TextLink to={`/profile#${part}`} className="inline-flex items-center pointer-coarse:min-h-11">
              {title}
            </TextLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
