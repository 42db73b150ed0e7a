/** The channel that a dialog is about. */
export function ChannelLine({ channel }: { channel: { name: string } }) {
  return (
    <span dir="auto" className="wrap-anywhere line-clamp-2 text-start">
      {channel.name}
    </span>
  )
}
