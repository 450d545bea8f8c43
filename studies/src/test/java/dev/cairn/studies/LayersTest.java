package dev.cairn.studies;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Studies are programs of users: they need nothing but HBase's client and the keys. */
class LayersTest {
  private final JavaClasses studies =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.cairn.studies");

  @Test
  void studiesDoNotKnowEachOther() {
    slices().matching("dev.cairn.studies.(*)..").should().notDependOnEachOther().check(studies);
  }

  @Test
  void studiesNeedNothingButHBasesClientAndKeys() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "dev.cairn.studies..",
            "dev.cairn.keys..",
            "org.apache.hadoop.conf..",
            "org.apache.hadoop.hbase..")
        .check(studies);
  }
}
