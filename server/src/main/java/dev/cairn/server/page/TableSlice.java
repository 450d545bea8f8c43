package dev.cairn.server.page;

import java.util.List;

/**
 * The rows of a table that a request selects.
 *
 * @param rows the values of the shown rows
 * @param total how many rows the table has
 * @param matching how many of them match the filter
 * @param page the number of the shown page, from 1
 * @param pages how many pages the matching rows have, at least 1
 * @param size the most rows of a page
 * @param sort the id of the column that orders the rows; empty for the table's own order
 * @param descending whether the largest come first
 * @param filter what the rows have to contain; empty for all
 */
public record TableSlice(
    List<List<Value>> rows,
    int total,
    int matching,
    int page,
    int pages,
    int size,
    String sort,
    boolean descending,
    String filter) {}
