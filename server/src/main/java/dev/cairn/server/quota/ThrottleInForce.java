package dev.cairn.server.quota;

/**
 * A limit on requests that is in force on a region server.
 *
 * @param limited its subject, in words
 * @param kind its kind: the name of HBase's ThrottleType
 * @param limit how much is allowed in a unit of time: requests, bytes, units of capacity or
 *     milliseconds, as the kind tells
 * @param unit the unit of time
 * @param available how much is left at the moment; negative for a debt
 */
public record ThrottleInForce(
    String limited, String kind, long limit, String unit, long available) {}
