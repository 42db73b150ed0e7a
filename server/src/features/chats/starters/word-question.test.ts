import { describe, expect, it } from 'vitest'
import { describeDocument, wordQuestion } from './word-question.ts'

function word(title: string, heading: string): string | null {
  return wordQuestion(heading, describeDocument(title, [heading]))
}

describe('wordQuestion', () => {
  it.each([
    ['Who approves my travel?', 'Who approves my travel?'],
    ['Wer darf fliegen?', 'Wer darf fliegen?'],
    ['How to claim your expenses', 'How do I claim my expenses?'],
    ['What to do if you are sick', 'What should I do if I am sick?'],
    ['When must I book', 'When must I book?'],
    ['Who pays', 'Can you explain who pays?'],
    ['Hotel limits', 'What are the hotel limits?'],
    ['Limits for hotels', 'What are the limits for hotels?'],
    ['Our values', 'What are our values?'],
    ['Your responsibilities', 'What are my responsibilities?'],
    ['Meal allowance', 'What is the meal allowance?'],
    ['Reimbursement', 'How does reimbursement work?'],
    ['Code review', 'How does code review work?'],
    ['Trains', 'What are the rules for trains?'],
    ['Booking travel', 'What are the rules for booking travel?'],
    ['Use of private cars', 'What are the rules for the use of private cars?'],
  ])('turns the heading “%s” of a policy into “%s”', (heading, question) => {
    expect(word('Travel policy', heading)).toBe(question)
  })

  it.each([
    ['Scope', 'What does the travel policy cover?'],
    ['Purpose', 'What is the purpose of the travel policy?'],
    ['Limits', 'What are the limits in the travel policy?'],
  ])('names the document where “%s” alone says too little', (heading, question) => {
    expect(word('Travel policy', heading)).toBe(question)
  })

  it.each([
    ['Menu of the week', 'What is on the menu of the week?'],
    ['Lunch menu', 'What is on the lunch menu?'],
  ])('asks what is on a menu such as “%s”', (heading, question) => {
    expect(word('Canteen handbook', heading)).toBe(question)
    expect(word('Canteen policy', heading)).toBe(question)
  })

  it.each(['Scope', 'Objectives'])('leaves out “%s” if the title does not fit in a sentence', (heading) => {
    expect(word('What is new in April', heading)).toBeNull()
  })

  it.each([
    ['EU travel', 'What should I know about EU travel?'],
    ['Remote Work', 'What should I know about Remote Work?'],
    ['Mondays', 'What should I know about Mondays?'],
    ['Hotels in Berlin', 'What should I know about Hotels in Berlin?'],
    ['Working from home in Spain', 'What should I know about working from home in Spain?'],
  ])('keeps the capitals of names in “%s”', (heading, question) => {
    expect(word('Staff handbook', heading)).toBe(question)
  })

  it('keeps the heading as it is in a document that may be in another language', () => {
    expect(word('Reisekosten', 'Bahnfahrten')).toBe('What should I know about “Bahnfahrten”?')
  })
})
