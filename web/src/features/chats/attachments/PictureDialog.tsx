import { Dialog } from '#ui/Dialog.tsx'

interface Props {
  url: string | null
  name: string
  isOpen: boolean
  onClose: () => void
}

export function PictureDialog({ url, name, isOpen, onClose }: Props) {
  return (
    <Dialog open={isOpen} onClose={onClose} title={name} size="wide">
      {url !== null && <img src={url} alt={name} className="mx-auto max-h-[75dvh] object-contain" />}
    </Dialog>
  )
}
