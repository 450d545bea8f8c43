/** Measurements over time, of many hosts: which part of the key comes first. */
package dev.cairn.studies.series;
