/** The channel that a dialog is about. */
export function ChannelLine({ channel }: { channel: { name: string } }) {
  return (
    <span className="wrap-anywhere line-clamp-2">
      <bdi>{channel.name}</bdi>
    </span>
  )
}
