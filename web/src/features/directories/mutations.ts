import { type Directories, type DirectoryInput, directoriesApi } from '@lyceum/contract/directories'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { directoriesQuery } from './queries.ts'

function useReload() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: directoriesQuery().queryKey })
}

/** Connects a directory. The form shows errors. */
export function useCreateDirectory() {
  const reload = useReload()
  return useMutation({
    mutationFn: (body: DirectoryInput) => call(directoriesApi.create, { body }),
    // After a failure too, because the directory may exist although its reply was lost.
    onSettled: () => void reload(),
    // The result contains the key.
    gcTime: 0,
  })
}

export function useReplaceKey() {
  const reload = useReload()
  return useMutation({
    mutationFn: (id: string) => call(directoriesApi.replaceKey, { params: { id } }),
    onError: (error) => banner.error(messageOf(error, texts.directories.replaceKeyFailed)),
    onSettled: () => void reload(),
    gcTime: 0,
  })
}

function useStoreResult() {
  const client = useQueryClient()
  return (data: Directories) => client.setQueryData(directoriesQuery().queryKey, data)
}

export function useRevokeKey() {
  const storeResult = useStoreResult()
  return useMutation({
    mutationFn: (id: string) => call(directoriesApi.revokeKey, { params: { id } }),
    onSuccess(result) {
      storeResult(result)
      banner.success(texts.directories.revokeKey.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.directories.revokeKey.failed)),
  })
}

export function useRemoveDirectory() {
  const storeResult = useStoreResult()
  return useMutation({
    mutationFn: (id: string) => call(directoriesApi.remove, { params: { id } }),
    onSuccess(result) {
      storeResult(result)
      banner.success(texts.directories.remove.done)
    },
    onError: (error) => banner.error(messageOf(error, texts.directories.remove.failed)),
  })
}
