import { TextLink } from '#ui/TextLink.tsx'
import { profileParts } from './profile-parts.ts'

/** Links to the parts of the profile, which is longer than most screens. */
export function ProfileLinks() {
  return (
    <nav aria-label="On this page">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
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
