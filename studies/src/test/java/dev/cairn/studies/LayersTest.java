package dev.cairn.studies;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Studies are programs of users: they know HBase, Hadoop's jobs and the keys, and no Cairn. */
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
  void studiesKnowNothingOfCairnButTheKeys() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..", "dev.cairn.studies..", "dev.cairn.keys..", "org.apache.hadoop..")
        .check(studies);
  }
}
