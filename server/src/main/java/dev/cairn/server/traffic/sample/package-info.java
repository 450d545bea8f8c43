/**
 * Keeps some of the sampled calls of each table, ordered in time, for questions that sums cannot
 * answer: whether keys grow, and how the same calls would spread over other keys. Samples enter
 * once a second; {@link dev.cairn.server.traffic.sample.CallHistory} bounds how many stay.
 */
package dev.cairn.server.traffic.sample;
