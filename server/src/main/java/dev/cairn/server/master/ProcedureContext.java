package dev.cairn.server.master;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.RegionShapes;
import dev.cairn.server.catalog.TableFiles;

/**
 * What procedures work with. All but {@code files}, {@code shapes}, {@code calls} and {@code
 * schemas} is owned by the loop.
 *
 * @param schemas the checks of table descriptors
 */
record ProcedureContext(
    MasterLoop loop,
    Clock clock,
    TableFiles files,
    RegionShapes shapes,
    RegionStateStore catalog,
    Tables tables,
    Namespaces namespaces,
    NamespaceQuota namespaceQuota,
    QuotaSettings quotas,
    Assignments assignments,
    RegionServerCalls calls,
    SchemaRules schemas) {}
