from tandem.catalog.v1 import books_pb2 as _books_pb2
from tandem.rpc.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Exercise(_message.Message):
    __slots__ = ["aliases", "category", "equipment", "exercise_id", "images", "instructions", "instructions_source", "level", "muscle_groups", "muscles", "name", "secondary_muscles", "sources"]
    ALIASES_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    EQUIPMENT_FIELD_NUMBER: _ClassVar[int]
    EXERCISE_ID_FIELD_NUMBER: _ClassVar[int]
    IMAGES_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTIONS_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTIONS_SOURCE_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    MUSCLES_FIELD_NUMBER: _ClassVar[int]
    MUSCLE_GROUPS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SECONDARY_MUSCLES_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    aliases: _containers.RepeatedScalarFieldContainer[str]
    category: str
    equipment: _containers.RepeatedScalarFieldContainer[str]
    exercise_id: str
    images: _containers.RepeatedCompositeFieldContainer[ExerciseImage]
    instructions: _containers.RepeatedScalarFieldContainer[str]
    instructions_source: str
    level: str
    muscle_groups: _containers.RepeatedScalarFieldContainer[str]
    muscles: _containers.RepeatedScalarFieldContainer[str]
    name: str
    secondary_muscles: _containers.RepeatedScalarFieldContainer[str]
    sources: _containers.RepeatedCompositeFieldContainer[ExerciseSource]
    def __init__(self, exercise_id: _Optional[str] = ..., name: _Optional[str] = ..., aliases: _Optional[_Iterable[str]] = ..., category: _Optional[str] = ..., level: _Optional[str] = ..., muscles: _Optional[_Iterable[str]] = ..., secondary_muscles: _Optional[_Iterable[str]] = ..., muscle_groups: _Optional[_Iterable[str]] = ..., equipment: _Optional[_Iterable[str]] = ..., instructions: _Optional[_Iterable[str]] = ..., instructions_source: _Optional[str] = ..., images: _Optional[_Iterable[_Union[ExerciseImage, _Mapping]]] = ..., sources: _Optional[_Iterable[_Union[ExerciseSource, _Mapping]]] = ...) -> None: ...

class ExerciseChange(_message.Message):
    __slots__ = ["exercise", "exercise_id", "merged_into"]
    EXERCISE_FIELD_NUMBER: _ClassVar[int]
    EXERCISE_ID_FIELD_NUMBER: _ClassVar[int]
    MERGED_INTO_FIELD_NUMBER: _ClassVar[int]
    exercise: Exercise
    exercise_id: str
    merged_into: str
    def __init__(self, exercise_id: _Optional[str] = ..., exercise: _Optional[_Union[Exercise, _Mapping]] = ..., merged_into: _Optional[str] = ...) -> None: ...

class ExerciseImage(_message.Message):
    __slots__ = ["attribution", "license", "reference", "source"]
    ATTRIBUTION_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    attribution: str
    license: str
    reference: str
    source: str
    def __init__(self, reference: _Optional[str] = ..., source: _Optional[str] = ..., license: _Optional[str] = ..., attribution: _Optional[str] = ...) -> None: ...

class ExerciseOption(_message.Message):
    __slots__ = ["id", "label"]
    ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    id: str
    label: str
    def __init__(self, id: _Optional[str] = ..., label: _Optional[str] = ...) -> None: ...

class ExerciseSource(_message.Message):
    __slots__ = ["attribution", "license", "source", "source_id"]
    ATTRIBUTION_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    attribution: str
    license: str
    source: str
    source_id: str
    def __init__(self, source: _Optional[str] = ..., source_id: _Optional[str] = ..., license: _Optional[str] = ..., attribution: _Optional[str] = ...) -> None: ...

class GetExerciseRequest(_message.Message):
    __slots__ = ["exercise_id"]
    EXERCISE_ID_FIELD_NUMBER: _ClassVar[int]
    exercise_id: str
    def __init__(self, exercise_id: _Optional[str] = ...) -> None: ...

class ListExerciseChangesRequest(_message.Message):
    __slots__ = ["page_size", "since"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    since: str
    def __init__(self, since: _Optional[str] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListExerciseChangesResponse(_message.Message):
    __slots__ = ["changes", "more", "next_since"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    NEXT_SINCE_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[ExerciseChange]
    more: bool
    next_since: str
    def __init__(self, changes: _Optional[_Iterable[_Union[ExerciseChange, _Mapping]]] = ..., next_since: _Optional[str] = ..., more: bool = ...) -> None: ...

class ListExerciseOptionsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListExerciseOptionsResponse(_message.Message):
    __slots__ = ["categories", "equipment", "levels", "muscle_groups"]
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    EQUIPMENT_FIELD_NUMBER: _ClassVar[int]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    MUSCLE_GROUPS_FIELD_NUMBER: _ClassVar[int]
    categories: _containers.RepeatedCompositeFieldContainer[ExerciseOption]
    equipment: _containers.RepeatedCompositeFieldContainer[ExerciseOption]
    levels: _containers.RepeatedCompositeFieldContainer[ExerciseOption]
    muscle_groups: _containers.RepeatedCompositeFieldContainer[MuscleGroupOption]
    def __init__(self, muscle_groups: _Optional[_Iterable[_Union[MuscleGroupOption, _Mapping]]] = ..., equipment: _Optional[_Iterable[_Union[ExerciseOption, _Mapping]]] = ..., levels: _Optional[_Iterable[_Union[ExerciseOption, _Mapping]]] = ..., categories: _Optional[_Iterable[_Union[ExerciseOption, _Mapping]]] = ...) -> None: ...

class MuscleGroupOption(_message.Message):
    __slots__ = ["id", "label", "muscles"]
    ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    MUSCLES_FIELD_NUMBER: _ClassVar[int]
    id: str
    label: str
    muscles: _containers.RepeatedCompositeFieldContainer[ExerciseOption]
    def __init__(self, id: _Optional[str] = ..., label: _Optional[str] = ..., muscles: _Optional[_Iterable[_Union[ExerciseOption, _Mapping]]] = ...) -> None: ...

class SearchExercisesRequest(_message.Message):
    __slots__ = ["categories", "equipment", "levels", "muscles", "name", "page_size", "page_token"]
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    EQUIPMENT_FIELD_NUMBER: _ClassVar[int]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    MUSCLES_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    categories: _containers.RepeatedScalarFieldContainer[str]
    equipment: _containers.RepeatedScalarFieldContainer[str]
    levels: _containers.RepeatedScalarFieldContainer[str]
    muscles: _containers.RepeatedScalarFieldContainer[str]
    name: str
    page_size: int
    page_token: str
    def __init__(self, name: _Optional[str] = ..., muscles: _Optional[_Iterable[str]] = ..., equipment: _Optional[_Iterable[str]] = ..., levels: _Optional[_Iterable[str]] = ..., categories: _Optional[_Iterable[str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class SearchExercisesResponse(_message.Message):
    __slots__ = ["exercises", "match", "next_page_token", "notice"]
    EXERCISES_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    exercises: _containers.RepeatedCompositeFieldContainer[Exercise]
    match: _books_pb2.SearchMatch
    next_page_token: str
    notice: str
    def __init__(self, exercises: _Optional[_Iterable[_Union[Exercise, _Mapping]]] = ..., match: _Optional[_Union[_books_pb2.SearchMatch, str]] = ..., notice: _Optional[str] = ..., next_page_token: _Optional[str] = ...) -> None: ...
